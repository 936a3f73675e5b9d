/** The descriptions of the schema that clients see are those of the SDL, and scalars name their specification. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DocumentNode,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  parse,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../support/api.ts';
import { ROOT } from '../support/process.ts';

const FOLDER = join(ROOT, 'schema');

const documents: readonly DocumentNode[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.graphql'))
  .map((name) => parse(readFileSync(join(FOLDER, name), 'utf8')));

interface Described {
  readonly name: { readonly value: string };
  readonly description?: { readonly value: string } | undefined;
  readonly arguments?: readonly Described[] | undefined;
  readonly fields?: readonly Described[] | undefined;
  readonly values?: readonly Described[] | undefined;
}

/** Each description of the SDL, by its coordinate: `Order.total`, `Query.orders(first:)`. */
function* written(node: Described, at: string): Generator<readonly [string, string | undefined]> {
  yield [at, node.description?.value];
  for (const field of [...(node.fields ?? []), ...(node.values ?? [])]) {
    const place = `${at}.${field.name.value}`;
    yield [place, field.description?.value];
    for (const argument of field.arguments ?? [])
      yield [`${place}(${argument.name.value}:)`, argument.description?.value];
  }
}

function shown(coordinate: string): string | null | undefined {
  const [, typeName = '', member, argument] = /^(@?\w+)(?:\.(\w+))?(?:\((\w+):\))?$/.exec(coordinate) ?? [];
  const type = schema.getType(typeName);
  if (member === undefined) return type?.description;
  if (isEnumType(type)) return type.getValue(member)?.description;
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return undefined;
  const field = type.getFields()[member];
  if (argument === undefined) return field?.description;
  return field && 'args' in field ? field.args.find(({ name }) => name === argument)?.description : undefined;
}

test('every description comes from the SDL', () => {
  const definitions = documents.flatMap((document) => document.definitions);
  const described = definitions.flatMap((node) => {
    if (node.kind === Kind.DIRECTIVE_DEFINITION || !('name' in node) || !node.name) return [];
    const all = [...written(node as Described, node.name.value)];
    // An extension has no description of the type.
    return node.kind === Kind.OBJECT_TYPE_EXTENSION ? all.slice(1) : all;
  });
  expect(described.length).toBeGreaterThan(300);
  expect(described.filter(([coordinate, text]) => shown(coordinate) !== text)).toEqual([]);
});

test('every scalar names its specification', () => {
  const scalars = Object.values(schema.getTypeMap())
    .filter(isScalarType)
    .filter((type) => !isSpecifiedScalarType(type));
  expect(scalars.length).toBeGreaterThan(0);
  for (const { name, specifiedByURL } of scalars) expect(specifiedByURL, name).toMatch(/^https:\/\//);
});
