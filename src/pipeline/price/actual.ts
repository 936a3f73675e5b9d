/** What an operation has cost, counted in what came back: the objects that are there, and the fields that ran. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { LIMITS } from '../../core/limits.ts';
import { type Fragments, fieldsIn, fragmentsOf } from '../../core/selections.ts';
import { possibleFields } from '../../graphql/field.ts';
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
  const fields = root ? countedIn(schema, prices, fragments, root, [operation.selectionSet], isMutation) : [];
  const count = countObject(0, fields);
  return (data) => Math.max(1, count(data));
}

function countedIn(
  schema: GraphQLSchema,
  prices: Prices,
  fragments: Fragments,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
  isMutation: boolean,
): Counted[] {
  const nodes = sets.flatMap((set) => fieldsIn(set, fragments));
  const places = Map.groupBy(nodes, ({ alias, name }) => (alias ?? name).value);
  return [...places].flatMap(([name, inPlace]) => {
    const [first] = inPlace as [FieldNode];
    if (first.name.value === '__schema') return [leaf(name, LIMITS.schemaWeight)];
    if (first.name.value === '__type') return [leaf(name, LIMITS.typeWeight)];
    const [field] = possibleFields(schema, type, first.name.value);
    // `__typename` is no field of a type.
    if (!field) return [];
    const { weight, objectWeight, lists } = prices.of(field, isMutation);
    const inner = getNamedType(field.type);
    if (!isCompositeType(inner)) return weight === 0 ? [] : [leaf(name, weight)];
    const selections = inPlace.flatMap(({ selectionSet }) => selectionSet ?? []);
    const below = countedIn(schema, prices, fragments, inner, selections, false);
    return [{ name, weight, count: countLists(lists, countObject(objectWeight, below)) }];
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
