/** The commands of the guides, unchanged, in sequence in one shell, against a server with the demo data. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GUIDES } from '../docs/guides.ts';
import { COMPILED, freePort, manageServers, ROOT, type ServerProcess } from '../support/process.ts';

const servers = manageServers(afterAll);

interface Block {
  readonly line: number;
  /** Whether each of its requests must be refused. */
  readonly refused: boolean;
  readonly commands: string;
}

/** The `sh` blocks of a guide. Blocks that need other machines are marked `console`, and do not run. */
function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```sh( refused)?\n(.*?)^```$/gms)].map(
    ({ 1: refused, 2: commands = '', index }) => ({
      line: markdown.slice(0, index).split('\n').length,
      refused: refused !== undefined,
      commands,
    }),
  );
}

/**
 * Makes curl fail for a status of 400 or more, and for GraphQL responses with errors: by itself it accepts
 * every response.
 */
const STRICT_CURL = `
curl() {
  local answer status=0
  answer=$(command curl --fail-with-body "$@") || status=$?
  printf '%s\\n' "$answer"
  if [ "$status" -eq 0 ] && printf '%s' "$answer" | grep -q '"errors":\\['; then status=22; fi
  return "$status"
}`;

const scriptOf = (blocks: readonly Block[]): string =>
  ['set -euo pipefail', STRICT_CURL, ...blocks.map(commandsOf)].join('\n');

function commandsOf({ line, refused, commands }: Block): string {
  const place = `echo '--- line ${line}' >&2`;
  if (!refused) return `${place}\n${commands}`;
  return `${place}\nif (${commands.trim()}); then echo 'This was not refused.' >&2; exit 1; fi`;
}

/** Runs a script in the repository, with Node's folder and the system's commands on PATH. */
async function runScript(script: string, env: Record<string, string>) {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const child = spawn('bash', ['-c', script], {
    cwd: ROOT,
    env: { ...COMPILED, HOME: process.env['HOME'], PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], out, err] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
}

describe('the commands of', () => {
  /** One server for all guides, as for a reader who follows one after another. */
  let server: ServerProcess;
  let env: Record<string, string>;

  beforeAll(async () => {
    const directory = await servers.directory();
    await mkdir(join(directory, 'data'));
    env = {
      DATABASE_URL: `file:${join(directory, 'data/portico.db')}`,
      AUTH_KEYS_FILE: join(directory, 'data/keys.json'),
    };
    server = await servers.start({ directory, env: { ...env, WEBHOOK_ALLOW_LOOPBACK: '1' } });
  });

  test.each(GUIDES.map((name) => ({ name, markdown: readFileSync(join(ROOT, name), 'utf8') })))(
    '$name succeed',
    async ({ markdown }) => {
      // This test has already installed and started the server.
      const blocks = blocksOf(markdown).filter(({ commands }) => !/^npm (ci|start)$/m.test(commands));
      if (blocks.length === 0) return;
      // Nothing leaves the machine: receivers are on this machine too, and need not respond.
      const [own, certified] = [await freePort(), await freePort()];
      const script = scriptOf(blocks)
        .replaceAll('localhost:4000', `localhost:${server.port}`)
        .replaceAll('4001', String(own))
        .replaceAll('4443', String(certified))
        .replaceAll('https://example.com/', `http://127.0.0.1:${server.port}/`);
      const { code, out, err } = await runScript(script, env);
      expect({ code, err: code === 0 ? '' : `${err}\n${out}` }).toEqual({ code: 0, err: '' });
    },
  );
});
