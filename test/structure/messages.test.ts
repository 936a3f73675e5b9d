/** Messages of errors are read by clients of all interfaces, so they contain no name that only one of them has. */
import { globSync, readFileSync } from 'node:fs';
import { isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { schema } from '../support/api.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Names of arguments and input members that REST spells differently: `productId` is `product_id`. */
function spelledDifferently(): ReadonlySet<string> {
  const names = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type)) return Object.keys(type.getFields());
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ args }) => args.map(({ name }) => name));
  });
  return new Set(names.filter((name) => /[A-Z]/.test(name)));
}

test('messages have no name of an argument that REST spells differently', () => {
  const names = spelledDifferently();
  expect(names).toContain('productId');
  const found = globSync('{resolvers,src/auth,src/payments,src/webhooks,src/events}/**/*.ts', {
    cwd: ROOT,
  }).flatMap((file) => {
    const sentences = readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(
      /(['`])([A-Za-z][^'`\n]* [^'`\n]*)\1/g,
    );
    return [...sentences].flatMap(([, , text = '']) => {
      // Paths of inputs are translated when REST sends them.
      const words = text.replaceAll(/\$\{[^}]*\}|\binput\.\w+/g, '').match(/\w+/g) ?? [];
      return words.filter((word) => names.has(word)).map((word) => `${file}: ${word} in "${text}"`);
    });
  });
  expect(found).toEqual([]);
});

test('messages name commands as they are called in a clone and in the image', () => {
  const commands = [...COMMANDS.keys()];
  expect(commands).toContain('migrate');
  const named = new RegExp(`(?<!npx )\\bportico (${commands.join('|')})\\b`);
  const found = globSync('src/**/*.{ts,js}', { cwd: ROOT }).flatMap((file) => {
    const lines = readFileSync(`${ROOT}/${file}`, 'utf8').split('\n');
    const isComment = (line: string) => /^\s*(\/\/|\/?\*)/.test(line);
    return lines.filter((line) => !isComment(line) && named.test(line)).map((line) => `${file}: ${line}`);
  });
  expect(found).toEqual([]);
});
