#!/usr/bin/env node
// The command line. It runs on every version of Node: one that is too old for the server starts the Node that `npm ci` has installed,
// or reports what is missing instead of a syntax error.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const program = new URL('../src/cli/main.ts', import.meta.url);

// The first process of a container ignores signals that it has no listener for, such as those sent before the server has added its own.
if (process.pid === 1) {
  for (const [signal, number] of [
    ['SIGTERM', 15],
    ['SIGINT', 2],
  ]) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number);
    });
  }
}

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  await import(program.href);
} else {
  const newer = bundledNode();
  if (newer === undefined) {
    process.stderr.write(
      `Portico needs Node ${NEEDED} or later, and this is ${process.version}. Run "npm ci" in its folder, which installs one.\n`,
    );
    process.exitCode = 1;
  } else {
    runWith(newer);
  }
}

function bundledNode() {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    // It is not installed.
    return undefined;
  }
}

function runWith(node) {
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
