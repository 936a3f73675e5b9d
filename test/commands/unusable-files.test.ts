/** Files and databases that a command cannot use are named, with the reason. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { unusable } from '../../src/cli/database.ts';
import { ApiError } from '../../src/core/errors.ts';
import { reasonOf } from '../../src/core/failure.ts';
import { command } from './command.ts';

const directory = mkdtempSync(join(tmpdir(), 'portico-commands-'));
afterAll(() => rmSync(directory, { recursive: true }));

const environment = {
  DATABASE_URL: `file:${join(directory, 'none.db')}`,
  AUTH_KEYS_FILE: join(directory, 'none.json'),
};

test.each(['ELOOP', 'ENOTDIR'])(
  'a database that cannot be reached (%s) is not reported as missing',
  async (reason) => {
    const path = join(directory, reason);
    if (reason === 'ELOOP') symlinkSync(path, path);
    else writeFileSync(path, '');
    const settings = { ...environment, DATABASE_URL: `file:${join(path, 'portico.db')}` };
    const { code, err } = await command(['org', 'list'], { environment: settings });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^The database file:.* cannot be used .*${reason}`)),
    ]);
  },
);

test.each(['a folder', 'another file'])(
  'keys create refuses %s in the place of the key file',
  async (what) => {
    const file = join(directory, `keys of ${what}`);
    if (what === 'a folder') mkdirSync(file);
    else writeFileSync(file, '{}');
    const { code, out, err } = await command(['keys', 'create', '--file', file], { environment });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`The key file ${file} `);
  },
);

test('a key file that cannot be created is named', async () => {
  writeFileSync(join(directory, 'a-file'), '');
  const file = join(directory, 'a-file', 'keys', 'keys.json');
  const { err } = await command(['keys', 'create', '--file', file], { environment });
  expect(err).toMatch(`The key file ${file} cannot be created: ENOTDIR`);
});

test('the reason of a failure to reach the database may be permanent: it is not that of an error for clients', () => {
  const error = new ApiError('unavailable', { cause: new Error('database "none" does not exist') });
  const report = async () => unusable('postgres://me:hidden-word@localhost/none')(error);
  const reported =
    'The database postgres://me@localhost/none cannot be used (database "none" does not exist)';
  return expect(report().catch(reasonOf)).resolves.toBe(reported);
});

test('a cursor file that cannot be read is named', async () => {
  const args = ['listen', '--key', 'pk_1_x', '--cursor-file', directory];
  const { code, err } = await command(args, { environment });
  expect([code, err]).toEqual([1, expect.stringMatching(`^${directory} cannot be read .*EISDIR`)]);
});
