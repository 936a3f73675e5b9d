/**
 * `graphql-query-complexity` computes the same cost of random operations. It walks documents and coerces arguments on its own, and its
 * estimator below reads the SDL, nothing of `src/pipeline/price/`. They differ by definition in three points:
 *
 * - An operation costs at least 1.
 * - The prices of introspection are not in the SDL, so random operations do not select it.
 * - Of fragments on several types of an interface, the package counts the most expensive one, and we all of them, in linear time. Random
 *   operations have one in each selection.
 *
 * `OPERATIONS=50000 npx vitest run test/unit/cost-oracle.test.ts` compares more.
 */
import {
  type DocumentNode,
  type GraphQLArgument,
  GraphQLError,
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isCompositeType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { type ComplexityEstimatorArgs, getComplexity } from 'graphql-query-complexity';
import { expect, test } from 'vitest';
import { type Declared, directiveValues } from '../../src/graphql/directives/values.ts';
import { fieldsOfObjects } from '../../src/graphql/field.ts';
import { createPricing } from '../../src/pipeline/price/pricing.ts';
import { expandOperation } from '../../src/pipeline/response-fields.ts';
import { schema } from '../support/api.ts';
import { randomOperations } from '../support/inputs/random-operations.ts';
import { DEFAULTS } from '../support/settings.ts';

const OPERATIONS = Number(process.env['OPERATIONS'] ?? 400);

const { pageMax } = DEFAULTS.operations;
const pricing = createPricing(schema, { pageMax, cost: Number.POSITIVE_INFINITY });

type Variables = Readonly<Record<string, unknown>>;

/** The arguments that `@listSize` has in the schema. */
interface ListSize {
  readonly assumedSize: number;
  readonly slicingArguments?: readonly string[];
  readonly sizedFields?: readonly string[];
}

const listSizeOf = (field: Declared) => directiveValues<ListSize>(schema, 'listSize', field);
const weightOf = (part: Declared, byDefault: number) =>
  Number(directiveValues(schema, 'cost', part)?.['weight'] ?? byDefault);

/** The fields that have the length of the field above them, such as `ProductPage.nodes`. */
const SIZED = new Set(
  [...fieldsOfObjects(schema)].flatMap(([, field]) =>
    (listSizeOf(field)?.sizedFields ?? []).map((name) => `${getNamedType(field.type).name}.${name}`),
  ),
);

/**
 * The package estimates a field after the fields below it, so a sized field does not know its length. The cost of one of its rows is
 * multiplied by this number until the field above has the length. No random operation costs as much, and both together are exact.
 */
const ROWS = 2 ** 26;

/** Reads the cost of a field from the SDL, as the descriptions of `@cost` and `@listSize` in base.graphql say. */
function estimate(
  { type, field, node, args, childComplexity }: ComplexityEstimatorArgs,
  variables: Variables,
): number {
  if (field.name === '__typename') return 0;
  const weight = weightOf(field, type === schema.getMutationType() ? 10 : 0);
  const below = getNamedType(field.type);
  if (!isCompositeType(below)) return weight;
  const each = weightOf(below, 1) + childComplexity;
  if (SIZED.has(`${type.name}.${field.name}`)) return weight + ROWS * each;
  const length = lengthOf({ field, node, args }, variables);
  const isList = isListType(getNullableType(field.type));
  return weight + (isList ? length : 1) * ((each % ROWS) + length * Math.floor(each / ROWS));
}

/** The length that a field's arguments request. A default counts only if no other argument is given, as in resolvers. */
function lengthOf(
  { field, node, args }: Pick<ComplexityEstimatorArgs, 'field' | 'node' | 'args'>,
  variables: Variables,
): number {
  const size = listSizeOf(field);
  if (!size) return 100;
  const slicing = field.args.filter(({ name }) => size.slicingArguments?.includes(name));
  const isGiven = ({ name }: GraphQLArgument) => {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    return value?.kind === Kind.VARIABLE ? Object.hasOwn(variables, value.name.value) : value !== undefined;
  };
  const numbers = (values: readonly unknown[]) => values.filter((value) => typeof value === 'number');
  const requested = numbers(slicing.filter(isGiven).map(({ name }) => args[name]));
  const lengths = requested.length > 0 ? requested : numbers(slicing.map((each) => each.defaultValue));
  return lengths.length > 0 ? Math.min(Math.max(0, ...lengths), pageMax) : size.assumedSize;
}

/** The cost that the package computes; undefined if it refuses the variables, or null for an argument, as the executor does. */
function complexityOf(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): number | undefined {
  const { coerced = {} } = getVariableValues(schema, variableDefinitions, variables);
  const estimators = [(field: ComplexityEstimatorArgs) => estimate(field, coerced)];
  try {
    return Math.max(1, getComplexity({ schema, query: document, variables, estimators }));
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** The cost of a document with one operation: ours, and that of the package. */
function costsOf(query: string, variables: Variables = {}) {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation || validate(schema, document).length > 0) return undefined;
  const complexity = complexityOf(document, operation, variables);
  return complexity === undefined
    ? undefined
    : { requested: pricing.of(expandOperation(document, operation)).requested(variables), complexity };
}

test.each(['query', 'mutation'] as const)('random operations of kind %s', (kind) => {
  const next = randomOperations(1, kind);
  let compared = 0;
  for (let made = 0; made < OPERATIONS; made += 1) {
    const { query, variables } = next();
    const costs = costsOf(query, variables);
    if (!costs) continue;
    compared += 1;
    expect(costs.requested, `${query}\n${JSON.stringify(variables)}`).toBe(costs.complexity);
  }
  // Most operations are valid.
  expect(compared).toBeGreaterThan(OPERATIONS / 2);
});

test('fragments on several types of an interface', () => {
  const query = '{ node(id: "x") { ... on Order { items { id } } ... on User { orders { id } } } }';
  expect(costsOf(query)).toEqual({ requested: 1 + 5 + 20, complexity: 1 + 20 });
});
