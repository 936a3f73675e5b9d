/** Random valid queries of the schema, with all ways to specify the size of a list. */
import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { schema } from '../api.ts';

interface RandomQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const SIZES = ['first', 'last', 'limit'];
const SIZE = fc.constantFrom(
  'null',
  '-1',
  '0',
  '1',
  '2',
  '7',
  '20',
  '100',
  '101',
  '2147483647',
  '$n',
  '$m',
  '$absent',
);
const CONDITION = fc.constantFrom(
  '',
  '',
  '',
  ' @include(if: $yes)',
  ' @skip(if: $yes)',
  ' @skip(if: $no)',
  ' @include(if: $no)',
);
const VALUES: Readonly<Record<string, readonly string[]>> = {
  id: ['1', '2', '7', '999'],
  userId: ['1', '2', '3'],
  documentId: ['1', '3'],
  webhookId: ['1'],
  chargeId: ['1'],
  org: ['"acme"'],
  status: ['pending', 'null'],
  page: ['1', '2', '999'],
};

/** Values of required arguments by type, for names without an entry in {@link VALUES}. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  ID: ['1', '2', '999'],
  Int: ['1', '3'],
  String: ['"text"'],
};

const valuesOf = ({ name, type }: GraphQLArgument): readonly string[] | undefined =>
  VALUES[name] ?? (isNonNullType(type) ? OF_TYPE[getNamedType(type).name] : undefined);

function argumentsOf(field: GraphQLField<unknown, unknown>): fc.Arbitrary<string> {
  const given = field.args.flatMap((argument) => {
    const values = SIZES.includes(argument.name)
      ? SIZE
      : valuesOf(argument) && fc.constantFrom(...(valuesOf(argument) ?? []));
    if (!values) return [];
    const written = values.map((value) => `${argument.name}: ${value}`);
    // `first` and `last` exclude each other, so optional arguments are omitted half of the time.
    return [
      isNonNullType(argument.type)
        ? written
        : fc.oneof({ weight: 1, arbitrary: fc.constant('') }, { weight: 1, arbitrary: written }),
    ];
  });
  return fc.tuple(...given).map((all) => {
    const named = all.filter((one) => one !== '');
    return named.length > 0 ? `(${named.join(', ')})` : '';
  });
}

/** Whether all required arguments of a field have known values. */
const canBeAsked = (field: GraphQLField<unknown, unknown>) =>
  field.args.every((argument) => !isNonNullType(argument.type) || valuesOf(argument) !== undefined);

function selectionOf(type: GraphQLObjectType, depth: number): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields()).filter(canBeAsked);
  const leafs = fields.filter((field) => isLeafType(getNamedType(field.type)));
  const objects = fields.filter((field) => isObjectType(getNamedType(field.type)));
  const leaf = fc.constantFrom('__typename', ...leafs.map(({ name }) => name));
  if (depth === 0 || objects.length === 0) return leaf.map((name) => `{ ${name} }`);
  const object = fc.constantFrom(...objects).chain((field) => {
    // `objects` only contains fields with object types.
    const inner = getNamedType(field.type) as GraphQLObjectType;
    return fc
      .tuple(argumentsOf(field), CONDITION, selectionOf(inner, depth - 1), fc.boolean(), fc.nat(99))
      .map(([given, condition, selection, wrapped, n]) => {
        const text = `f${n}_${field.name}: ${field.name}${given}${condition} ${selection}`;
        return wrapped ? `... on ${type.name}${condition} { ${text} }` : text;
      });
  });
  return fc
    .tuple(leaf, fc.array(object, { minLength: 1, maxLength: 2 }))
    .map((parts) => `{ ${parts.flat().join(' ')} }`);
}

const VARIABLES = '$n: Int, $m: Int = 4, $absent: Int, $yes: Boolean = true, $no: Boolean!';

/** Generates queries with fields to this depth below the root. */
export function randomQuery(depth: number): fc.Arbitrary<RandomQuery> {
  const root = schema.getQueryType();
  if (!root) throw new Error('The schema has no query type.');
  return fc
    .record({
      selection: selectionOf(root, depth),
      n: fc.constantFrom(undefined, null, -3, 0, 3, 50, 101),
      m: fc.constantFrom(undefined, 2, 100),
    })
    .map(({ selection, n, m }) => ({
      // GraphQL rejects unused variables, so a skipped fragment uses all of them.
      query: `query(${VARIABLES}) ${selection.replace('{', '{ ...Uses @skip(if: true)')} fragment Uses on Query { __typename @skip(if: $no) @include(if: $yes) a: products(first: $n) { endCursor } b: products(first: $m) { endCursor } c: products(first: $absent) { endCursor } }`,
      variables: { no: false, ...(n !== undefined && { n }), ...(m !== undefined && { m }) },
    }));
}

/**
 * Counts the objects in the response to a {@link randomQuery}: an edge and its node count as one, and the contents of JSON scalars do not
 * count.
 */
export function objectsIn(value: unknown, name = ''): number {
  if (Array.isArray(value)) return value.reduce((sum: number, element) => sum + objectsIn(element, name), 0);
  if (typeof value !== 'object' || value === null || name === 'data') return 0;
  const own = name.endsWith('_edges') ? 0 : 1;
  return Object.entries(value).reduce((sum, [member, inner]) => sum + objectsIn(inner, member), own);
}
