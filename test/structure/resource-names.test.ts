/** Generic code names no resource: each resource declares what generic code needs to know. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { EVENT_TYPES, subjectTypeOf } from '../../src/events/catalogue.ts';
import { rootFields, schema } from '../support/api.ts';
import { ROOT } from '../support/process.ts';

const GENERIC = ['pipeline', 'graphql', 'events', 'subscriptions'];

/** Kinds of credentials, and GraphQL documents: the same words with other meanings. */
const OTHER_THINGS = ['user', 'api_key', 'documents'];

const resources = globSync('schema/*.graphql', { cwd: ROOT })
  .map((path) => path.replace(/^schema\/|\.graphql$/g, ''))
  .filter((name) => name !== 'base');
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const types = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__') && !roots.includes(type))
  .map(({ name }) => name);
const literals = [
  ...types.flatMap((name) => [name, name.charAt(0).toLowerCase() + name.slice(1)]),
  ...rootFields.map(({ field }) => field.name),
  ...EVENT_TYPES.flatMap((type) => [type, subjectTypeOf(type)]),
].filter((name) => !OTHER_THINGS.includes(name));

const FORBIDDEN = new RegExp(
  [
    `(['"\`])(?:${literals.map((name) => name.replace('.', '[.]')).join('|')})\\1`,
    `\\b(?:${types.filter((name) => name !== 'Activity').join('|')})(?:Row|Node)\\b`,
    `/(?:queries|tables|resolvers)/(?:${resources.join('|')})s?(?:[/-]\\w+)*\\.ts'`,
  ].join('|'),
  'g',
);

const files = GENERIC.flatMap((folder) => globSync(`src/${folder}/**/*.ts`, { cwd: ROOT }));

test.each(files)('%s names no resource', (path) => {
  const code = readFileSync(join(ROOT, path), 'utf8').replace(
    /\/\*[\s\S]*?\*\/|\/\/.*|\bDocumentNode\b/g,
    '',
  );
  expect(code.match(FORBIDDEN) ?? []).toEqual([]);
});

test('the pattern finds resource names where they are allowed', () => {
  const code = readFileSync(join(ROOT, 'resolvers/order/resolvers.ts'), 'utf8');
  expect(code.match(FORBIDDEN)).toEqual(
    expect.arrayContaining(["'order'", 'ItemNode', expect.stringContaining('/queries/orders.ts')]),
  );
});
