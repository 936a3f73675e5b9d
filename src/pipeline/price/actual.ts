/** The actual cost of an operation, counted from its response: the objects in it, and the fields that ran. */
import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { LIMITS } from '../../core/limits.ts';
import { type Fragments, fragmentsOf } from '../../core/selections.ts';
import { possibleFields } from '../../graphql/field.ts';
import { placesIn, setsBelow, setsOf, type TypedSet } from '../places.ts';
import type { Prices } from './prices.ts';

/** Counts the points of the value of a selection: an object, null, or a list of them. */
type Count = (value: unknown) => number;

/** A field with a cost, by its response name. Fields with the same name are merged, as in the response. */
interface Counted {
  readonly name: string;
  readonly weight: number;
  readonly count: Count;
}

/** Returns a function that counts the points of a response's `data`, at least 1. It reads only fields with a cost. */
export function actualCost(
  schema: GraphQLSchema,
  prices: Prices,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (data: unknown) => number {
  const fragments = fragmentsOf(document);
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const fields = countedIn(schema, prices, fragments, setsOf(schema, operation), isMutation);
  const count = countObject(0, fields);
  return (data) => Math.max(1, count(data));
}

function countedIn(
  schema: GraphQLSchema,
  prices: Prices,
  fragments: Fragments,
  sets: readonly TypedSet[],
  isMutation: boolean,
): Counted[] {
  return placesIn(schema, sets, fragments).flatMap((place) => {
    const { name, fields: inPlace } = place;
    const [first] = inPlace;
    if (first.node.name.value === '__schema') return [leaf(name, LIMITS.schemaWeight)];
    if (first.node.name.value === '__type') return [leaf(name, LIMITS.typeWeight)];
    const fields = inPlace.flatMap(({ type, node }) => possibleFields(schema, type, node.name.value));
    const [field] = fields;
    // `__typename` is not a field of any type.
    if (!field) return [];
    // The response does not show which of several types a value has, so the highest price counts. List depths are the same for all types.
    const each = fields.map((one) => prices.of(one, isMutation));
    const weight = Math.max(...each.map((price) => price.weight));
    if (!isCompositeType(getNamedType(field.type))) return weight === 0 ? [] : [leaf(name, weight)];
    const objectWeight = Math.max(...each.map((price) => price.objectWeight));
    const below = countedIn(schema, prices, fragments, setsBelow(place), false);
    return [
      {
        name,
        weight,
        count: countLists(prices.of(field, isMutation).lists, countObject(objectWeight, below)),
      },
    ];
  });
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
