/** Rules for all commands, from their declarations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { GUIDES } from '../docs/guides.ts';
import { ROOT } from '../support/process.ts';
import { command } from './command.ts';

const nothing = { out: () => {}, err: () => {}, readInput: async () => '' };

/** Every command and subcommand, as it is declared. */
const declared = (
  await Promise.all(
    [...COMMANDS].map(async ([name, { load }]) => {
      const one = new Command(name);
      (await load())(one, nothing);
      return [{ args: [name], one }, ...one.commands.map((sub) => ({ args: [name, sub.name()], one: sub }))];
    }),
  )
)
  .flat()
  .map((each) => ({ ...each, name: each.args.join(' ') }));

const describesFile = (flags: string) => /<(file|path)>/.test(flags);

/** Every option and argument for the path of a file, and a use of it with an empty path. */
const emptyPaths = declared.flatMap(({ args, one }) => [
  ...one.options
    .filter(({ flags }) => describesFile(flags))
    .map(({ long }) => [...args, ...one.registeredArguments.map(() => 'x'), long ?? '', '']),
  ...one.registeredArguments.filter((each) => describesFile(`<${each.name()}>`)).map(() => [...args, '']),
]);

test('the commands for files are known', () => {
  expect(emptyPaths.length).toBeGreaterThan(6);
});

test.each(emptyPaths)(
  '%j refuses an empty path, that of a variable of a shell which is not set',
  async (...args) => {
    const required = args[0] === 'product' ? ['--org', 'acme'] : [];
    const { code, out, err } = await command([...args, ...required]);
    expect(err).toContain('It must be the path of a file.');
    expect([code, out]).toEqual([2, '']);
  },
);

test.each(declared)(
  'the help of $name marks the options that it requires, and no others',
  async ({ args, one }) => {
    const { out } = await command([...args, '--help']);
    const options = /^Options:\n(.*?)(?:\n\n|$(?![\n\s\S]))/ms.exec(out)?.[1] ?? '';
    const shown = options.split(/^ {2}(?=-)/m).filter((text) => text !== '');
    const marked = shown.filter((text) => /\(required\)\s*$/.test(text.replaceAll(/\s+/g, ' ')));
    expect(marked.map((text) => text.split(' ')[0])).toEqual(
      one.options.filter(({ mandatory }) => mandatory).map(({ long }) => long),
    );
  },
);

const guides = GUIDES.map((name) => readFileSync(join(ROOT, name), 'utf8')).join('\n');

test.each(declared)('the guides name $name and its options', ({ args: [name = '', sub = name], one }) => {
  // A row of a table names the first subcommand with its command, and only the names of the others.
  const named = new RegExp(`(?:${name} |\`)${sub}\\b`);
  expect(guides).toMatch(named);
  expect(one.options.map(({ long = '' }) => long).filter((long) => !guides.includes(long))).toEqual([]);
});
