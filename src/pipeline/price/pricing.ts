/** The price of an operation: the maximum cost, known before it runs, and the actual cost, counted from its response. */
import {
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  isCompositeType,
  type OperationDefinitionNode,
  OperationTypeNode,
  valueFromASTUntyped,
} from 'graphql';
import { ApiError } from '../../core/errors.ts';
import { possibleFields } from '../../graphql/field.ts';
import { plainVariables } from '../plain-variables.ts';
import { responseFieldsIn, setsBelow, setsOf, type TypedSet } from '../response-fields.ts';
import { INTROSPECTION, Prices } from './prices.ts';
import { requestedCost } from './requested.ts';

/** The price of an operation, in points. */
export interface OperationPrice {
  /** The maximum cost with these variables, as sent; 1 for invalid ones, which the executor refuses before anything runs. */
  requested(variables: Readonly<Record<string, unknown>>): number;
  /** The requested cost with lists of one row, where variables determine their length. */
  readonly least: number;
  /** The requested cost with required variables only, so that pages have their default size. */
  readonly usual: number;
  /** The requested cost above which an operation is refused. */
  readonly most: number;
  /** The actual cost, counted from the `data` of the response. */
  actual(data: unknown): number;
}

/** Refuses an operation that costs too much. @throws ApiError `cost_exceeded`. */
export function requireAllowed({ most }: OperationPrice, points: number): void {
  if (points <= most) return;
  throw new ApiError('cost_exceeded', {
    message: `The operation costs up to ${points} points; the maximum is ${most}. Ask for shorter lists.`,
  });
}

export interface PricingOptions {
  /** Maximum cost of an operation in points. */
  readonly cost: number;
  /** Maximum rows of a page. */
  readonly pageMax: number;
}

/** Computes the prices of operations of validated documents. */
export function createPricing(schema: GraphQLSchema, options: PricingOptions) {
  const prices = new Prices(schema);
  return {
    /** @param operation expanded. */
    of: (operation: OperationDefinitionNode): OperationPrice => priceOf(schema, prices, options, operation),
  };
}

export type Pricing = ReturnType<typeof createPricing>;

function priceOf(
  schema: GraphQLSchema,
  prices: Prices,
  { cost: most, pageMax }: PricingOptions,
  operation: OperationDefinitionNode,
): OperationPrice {
  const requested = requestedCost(schema, prices, operation, pageMax);
  const definitions = operation.variableDefinitions ?? [];
  const arePlain = plainVariables(schema, operation);
  const costWith = (variables: Readonly<Record<string, unknown>>) =>
    typeof requested === 'number' ? requested : requested(variables);
  return {
    requested(variables) {
      if (typeof requested === 'number') return requested;
      if (arePlain(variables)) return requested(variables);
      const { coerced } = getVariableValues(schema, definitions, variables, { maxErrors: 1 });
      return coerced ? requested(coerced) : 1;
    },
    get least() {
      return costWith(Object.fromEntries(definitions.map(({ variable }) => [variable.name.value, 1])));
    },
    get usual() {
      const defaults = definitions.flatMap(({ variable, defaultValue }) =>
        defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
      );
      return costWith(Object.fromEntries(defaults));
    },
    most,
    actual: actualCost(schema, prices, operation),
  };
}

/** Counts the points of the value of a selection: an object, null, or a list of them. */
type Count = (value: unknown) => number;

/** A field with a cost, by its response name. Fields with the same name are merged, as in the response. */
interface Counted {
  readonly name: string;
  readonly weight: number;
  readonly count: Count;
}

/** Returns a function that counts the points of a response's `data`, at least 1. It reads only fields with a cost. */
function actualCost(
  schema: GraphQLSchema,
  prices: Prices,
  operation: OperationDefinitionNode,
): (data: unknown) => number {
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const count = countObject(0, countedIn(setsOf(schema, operation), isMutation));
  return (data) => Math.max(1, count(data));

  /** @param isRoot whether these are the root fields of a mutation. */
  function countedIn(sets: readonly TypedSet[], isRoot: boolean): Counted[] {
    return responseFieldsIn(schema, sets).flatMap((responseField) => {
      const { name, fields: merged } = responseField;
      const introspection = INTROSPECTION.get(merged[0].node.name.value);
      if (introspection !== undefined) return [leaf(name, introspection)];
      const fields = merged.flatMap(({ type, node }) => possibleFields(schema, type, node.name.value));
      const [field] = fields;
      // `__typename` is not a field of any type.
      if (!field) return [];
      // The response does not show which of several types a value has, so the highest price counts. List depths are the same for all types.
      const each = fields.map((one) => prices.of(one, isRoot));
      const weight = Math.max(...each.map((price) => price.weight));
      if (!isCompositeType(getNamedType(field.type))) return weight === 0 ? [] : [leaf(name, weight)];
      const objectWeight = Math.max(...each.map((price) => price.objectWeight));
      const below = countedIn(setsBelow(responseField), false);
      const { lists } = prices.of(field, isRoot);
      return [{ name, weight, count: countLists(lists, countObject(objectWeight, below)) }];
    });
  }
}

const leaf = (name: string, weight: number): Counted => ({ name, weight, count: () => 0 });

/** Returns the count of an object. Most objects have no fields with a cost, and their members are not read. */
function countObject(weight: number, fields: readonly Counted[]): Count {
  if (fields.length === 0) return (value) => (value === null ? 0 : weight);
  return (value) => {
    if (typeof value !== 'object' || value === null) return 0;
    // The value of a selection is an object of the response.
    const members = value as Readonly<Record<string, unknown>>;
    let points = weight;
    for (const field of fields) {
      const member = members[field.name];
      if (member !== undefined) points += field.weight + field.count(member);
    }
    return points;
  };
}

/** Returns the count of nested lists. @param depth of the nesting. */
function countLists(depth: number, count: Count): Count {
  if (depth === 0) return count;
  const countEach = countLists(depth - 1, count);
  return (value) => {
    if (!Array.isArray(value)) return 0;
    let points = 0;
    for (const element of value) points += countEach(element);
    return points;
  };
}
