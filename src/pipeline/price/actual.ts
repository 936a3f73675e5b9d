/** What an operation has cost, counted in what came back: the objects that are there, and the fields that ran. */
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
import { type TypedSet, typedPlacesIn, typedSetsBelow } from '../typed-places.ts';
import type { Prices } from './prices.ts';

/** Points of what stands in a response where a selection was: an object, null, or a list of such. */
type Count = (value: unknown) => number;

/** A field that costs something, by its name in the response. Those of one name are merged, as in the response. */
interface Counted {
  readonly name: string;
  readonly weight: number;
  readonly count: Count;
}

/**
 * Counts the points of a response's `data`; 1 at least. Only what costs something is looked at.
 */
export function actualCost(
  schema: GraphQLSchema,
  prices: Prices,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (data: unknown) => number {
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation);
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const fields = countedIn(
    schema,
    prices,
    fragments,
    [{ type: root, set: operation.selectionSet }],
    isMutation,
  );
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
  return typedPlacesIn(schema, sets, fragments).flatMap((place) => {
    const { name, fields: inPlace } = place;
    const [first] = inPlace;
    if (first.node.name.value === '__schema') return [leaf(name, LIMITS.schemaWeight)];
    if (first.node.name.value === '__type') return [leaf(name, LIMITS.typeWeight)];
    const fields = inPlace.flatMap(({ type, node }) => possibleFields(schema, type, node.name.value));
    const [field] = fields;
    // `__typename` is no field of a type.
    if (!field) return [];
    // Which of several types a value has cannot be seen in the response. All of them have the same lists there.
    const each = fields.map((one) => prices.of(one, isMutation));
    const weight = Math.max(...each.map((price) => price.weight));
    if (!isCompositeType(getNamedType(field.type))) return weight === 0 ? [] : [leaf(name, weight)];
    const objectWeight = Math.max(...each.map((price) => price.objectWeight));
    const below = countedIn(schema, prices, fragments, typedSetsBelow(place), false);
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

/** Most objects have nothing in them that costs anything, and are not looked into. */
function countObject(weight: number, fields: readonly Counted[]): Count {
  if (fields.length === 0) return (value) => (value === null ? 0 : weight);
  return (value) => {
    if (typeof value !== 'object' || value === null) return 0;
    // What stands where a selection was is an object of the response.
    const members = value as Readonly<Record<string, unknown>>;
    let points = weight;
    for (const field of fields) {
      const member = members[field.name];
      if (member !== undefined) points += field.weight + field.count(member);
    }
    return points;
  };
}

/** @param depth of lists within each other. */
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
