#!/usr/bin/env node
// The command line. It is written for every Node there is, so that one that cannot run the server is not met with a syntax
// error: it hands over to the Node that `npm ci` brought along, or says what is missing.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const program = new URL('../src/cli/main.ts', import.meta.url);

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  await import(program.href);
} else {
  const newer = bundledNode();
  if (newer === undefined) {
    process.stderr.write(
      `Portico needs Node ${NEEDED} or later, and this is ${process.version}. Run "npm ci" in its folder, which brings one along.\n`,
    );
    process.exitCode = 1;
  } else {
    handOver(newer);
  }
}

function bundledNode() {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    // It is not installed, which is a response.
    return undefined;
  }
}

function handOver(node) {
  const child = spawn(node, [fileURLToPath(program), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`${node} cannot be run: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128;
    if (signal === null) return;
    // Exit as the child did.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
