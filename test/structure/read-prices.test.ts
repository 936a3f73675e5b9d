/** Every field that reads from the database is charged, once per use: aliases do not make an operation cheaper. */
import {
  defaultFieldResolver,
  type GraphQLArgument,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { Prices } from '../../src/pipeline/price/prices.ts';
import { createPricing } from '../../src/pipeline/price/pricing.ts';
import { expandOperation } from '../../src/pipeline/response-fields.ts';
import { schema } from '../support/api.ts';
import { DEFAULTS } from '../support/settings.ts';

const prices = new Prices(schema);
const pricing = createPricing(schema, { ...DEFAULTS.operations, cost: Number.MAX_SAFE_INTEGER });

interface Place {
  readonly name: string;
  readonly type: GraphQLObjectType;
  readonly field: ReturnType<GraphQLObjectType['getFields']>[string];
}

const fields: readonly Place[] = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
  .flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, type, field }))
      : [],
  );

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const isRoot = ({ type }: Place) => roots.includes(type);
const isLeaf = ({ field }: Place) => isLeafType(getNamedType(field.type));
const isResolved = ({ field }: Place) =>
  field.resolve !== undefined && field.resolve !== defaultFieldResolver;

/** The members of the context through which a resolver reads rows. */
const READING = new Set(['database', 'lasting', 'loaders', 'work', 'sessions', 'apiKeys']);

class RowsWanted extends Error {}

/** Whether the field's resolver reads rows: it is called with a parent that has every member. */
async function reads({ field }: Place): Promise<boolean> {
  const parent = new Proxy(
    { currency: 'USD', attemptRows: [] },
    { get: (known, name) => Reflect.get(known, name) ?? 1 },
  );
  const anybody = { userId: 1, org: 'acme', role: 'admin', scopes: { has: () => true } };
  const context = new Proxy(
    { publicUrl: 'https://portico.test', principal: anybody },
    {
      get: (known, name) => {
        if (READING.has(String(name))) throw new RowsWanted();
        return Reflect.get(known, name);
      },
    },
  );
  try {
    // The resolver is called as the executor calls it, whose types are those of one field.
    await field.resolve?.(parent, {}, context as never, {} as never);
    return false;
  } catch (error) {
    if (error instanceof RowsWanted) return true;
    throw error;
  }
}

const leaves = fields.filter((place) => isLeaf(place) && isResolved(place) && !isRoot(place));

test('some leaf fields read from the database, and some do not', async () => {
  const names: string[] = [];
  for (const place of leaves) if (await reads(place)) names.push(place.name);
  expect(names).toContain('User.unreadNotifications');
  expect(names).toContain('Order.paid');
  expect(names).not.toContain('User.avatarUrl');
});

describe.each(leaves)('$name', (place) => {
  test('has a cost if it reads', async () => {
    if (await reads(place)) expect(prices.of(place.field, false).weight).toBeGreaterThan(0);
  });
});

/**
 * An operation that selects the field `uses` times below the parent's fragment; other fields of its type are
 * left out.
 */
function costOf({ type, field }: Place, uses: number): number {
  const given = field.args.flatMap(({ name, type: argument }) =>
    String(argument).endsWith('!') ? [`${name}: $${name}`] : [],
  );
  const declared = field.args.flatMap(({ name, type: argument }) =>
    String(argument).endsWith('!') ? [`$${name}: ${argument}`] : [],
  );
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  const call = `${field.name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${selection}`;
  const selected = Array.from({ length: uses }, (_, n) => `a${n}: ${call}`).join(' ');
  const kind = type === schema.getMutationType() ? 'mutation' : 'query';
  const path = isRoot({ name: '', type, field }) ? `__typename ${selected}` : within(type, selected);
  const document = parse(`${kind} ${declared.length > 0 ? `(${declared.join(', ')})` : ''} { ${path} }`);
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (!operation) throw new Error('The document has no operation.');
  const variables = Object.fromEntries(
    field.args.map((argument) => [
      argument.name,
      isRequiredArgument(argument) ? valueFor(argument) : undefined,
    ]),
  );
  return pricing.of(expandOperation(document, operation)).requested(variables);
}

/**
 * A path of fields whose required arguments have values here, from the root to an object of the type, around
 * a selection.
 */
function within(type: GraphQLObjectType, selection: string): string {
  const path = pathTo(type);
  if (!path) throw new Error(`Add a path to ${type.name}.`);
  return path.reduceRight((inner, call) => `${call} { ${inner} }`, `__typename ${selection}`);
}

/** A value for an argument. Nothing is executed, so only its type matters. */
const valueFor = ({ name, type }: GraphQLArgument): string | number | undefined =>
  ({ ID: 1, Int: 1, String: name === 'org' ? 'acme' : 'text' })[getNamedType(type).name];

function pathTo(target: GraphQLObjectType): readonly string[] | undefined {
  const seen = new Set<GraphQLObjectType>();
  let level: { type: GraphQLObjectType; path: readonly string[] }[] = [];
  const query = schema.getQueryType();
  if (query) level.push({ type: query, path: [] });
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { type, path } of level) {
      if (type === target) return path;
      if (seen.has(type)) continue;
      seen.add(type);
      for (const field of Object.values(type.getFields())) {
        const inner = getNamedType(field.type);
        const required = field.args.filter((argument) => String(argument.type).endsWith('!'));
        if (!isObjectType(inner) || required.some((argument) => valueFor(argument) === undefined)) continue;
        const given = required
          .map((argument) => `${argument.name}: ${JSON.stringify(valueFor(argument))}`)
          .join(', ');
        next.push({ type: inner, path: [...path, `${field.name}${given && `(${given})`}`] });
      }
    }
    level = next;
  }
  return undefined;
}

/** Without types that only mutations return: one object each, for the price of a mutation. */
const reachable = fields.filter(
  (place) =>
    place.type !== schema.getSubscriptionType() &&
    place.type !== schema.getMutationType() &&
    (isRoot(place) || pathTo(place.type) !== undefined),
);
const paid = reachable.filter((place) => !isLeaf(place) || prices.of(place.field, false).weight > 0);

describe.each(paid)('$name', (place) => {
  test('costs the same under every alias', () => {
    const [none, once, thrice] = [0, 1, 3].map((uses) => costOf(place, uses)) as [number, number, number];
    const base = isRoot(place) ? 0 : none;
    expect(once - base).toBeGreaterThan(0);
    expect(thrice - base).toBe(3 * (once - base));
  });
});
