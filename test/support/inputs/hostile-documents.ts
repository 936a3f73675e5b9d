/** Documents that cost a server much more than their sender, and the code with which each is refused. */

interface HostileDocument {
  readonly name: string;
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly code: string;
}

const times = (count: number, make: (index: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);

/** Nests fields below `user(id: 1)`, alternately a list of orders and their user. */
function nested(levels: number, wrap: (inner: string) => string = (inner) => inner): string {
  let inner = 'id';
  for (let level = levels; level > 1; level -= 1)
    inner = wrap(`${level % 2 ? 'user' : 'orders'} { ${inner} }`);
  return `user(id: 1) { ${inner} }`;
}

/** Nests fields by a chain of fragments, one level in each. */
function chained(levels: number): string {
  const fragments = times(levels, (n) => {
    const [type, field] = n % 2 ? ['Order', 'user'] : ['User', 'orders'];
    const inner = n === levels - 1 ? 'id' : `...F${n + 1}`;
    return `fragment F${n} on ${type} { ${field} { ${inner} } }`;
  });
  return `{ user(id: 1) { ...F0 } } ${fragments}`;
}

/** Returns a name of three letters and digits, short enough for 10,000 names in a document. */
const letters = (n: number) => (n + 10 * 36 ** 2).toString(36);

const LOGIN = 'login(email: "ada@acme.test", password: "portico-demo") { accessToken }';

export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [
  { name: 'depth', query: `{ ${nested(11)} }`, code: 'query_too_deep' },
  { name: 'depth through named fragments', query: chained(10), code: 'query_too_deep' },
  {
    name: 'depth through inline fragments',
    query: `{ ${nested(11, (inner) => `... { ${inner} }`)} }`,
    code: 'query_too_deep',
  },
  {
    name: 'depth in a fragment named __schema',
    query: `{ user(id: 1) { ...__schema } } fragment __schema on User { ${nested(11).slice('user(id: 1) {'.length, -1)} }`,
    code: 'query_too_deep',
  },
  {
    name: 'depth in an operation named IntrospectionQuery',
    query: `query IntrospectionQuery { ${nested(11)} }`,
    code: 'query_too_deep',
  },
  {
    name: '13 levels of introspection',
    query: `{ __schema { types { ${times(5, () => 'fields { type {')} name ${times(10, () => '}')} } } }`,
    code: 'query_too_deep',
  },
  {
    name: '3 lists of introspection within each other',
    query: '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }',
    code: 'graphql_validation_failed',
  },
  {
    name: '31 aliases of __typename',
    query: `{ ${times(31, (n) => `a${n}: __typename`)} }`,
    code: 'too_many_root_fields',
  },
  {
    name: '31 aliases of __typename below the root',
    query: `{ me { ${times(31, (n) => `a${n}: __typename`)} } }`,
    code: 'too_many_aliases',
  },
  {
    name: '32 aliases by 16 uses of a fragment',
    query: `{ ${times(16, (n) => `u${n}: me { ...F }`)} } fragment F on User { a: id }`,
    code: 'too_many_aliases',
  },
  { name: '21 root fields', query: `{ ${times(21, () => '__typename')} }`, code: 'too_many_root_fields' },
  {
    name: '21 root fields by fragments',
    query: `{ ${times(7, () => '...F')} } fragment F on Query { __typename me { id } ... { __typename } }`,
    code: 'too_many_root_fields',
  },
  { name: 'login twice by alias', query: `mutation { a: ${LOGIN} b: ${LOGIN} }`, code: 'field_repeated' },
  {
    name: 'login twice by fragment',
    query: `mutation { ...A ...B } fragment A on Mutation { a: ${LOGIN} } fragment B on Mutation { ... { b: ${LOGIN} } }`,
    code: 'field_repeated',
  },
  {
    name: 'login twice by two operations',
    query: `mutation A { ${LOGIN} } mutation B { ${LOGIN} }`,
    operationName: 'A',
    code: 'field_repeated',
  },
  {
    name: '20,000 unknown directives',
    query: `{ me ${times(20_000, () => '@a')} { id } }`,
    code: 'too_many_directives',
  },
  {
    name: '100 unknown directives',
    query: `{ me ${times(100, () => '@a')} { id } }`,
    code: 'graphql_validation_failed',
  },
  {
    name: 'a fragment cycle',
    query: '{ me { ...A } } fragment A on User { ...B } fragment B on User { id ...A }',
    code: 'graphql_validation_failed',
  },
  {
    name: 'an unused fragment cycle',
    query: '{ me { id } } fragment A on User { orders { user { ...B } } } fragment B on User { id ...A }',
    code: 'graphql_validation_failed',
  },
  {
    name: 'a fragment that spreads itself',
    query: '{ me { ...A } } fragment A on User { id ...A }',
    code: 'graphql_validation_failed',
  },
  {
    name: 'a subscription whose root depends on a variable, beside a query',
    query: 'query A { __typename } subscription B($on: Boolean!) { activity @skip(if: $on) { id } }',
    operationName: 'A',
    code: 'graphql_validation_failed',
  },
  { name: 'an unknown fragment', query: '{ me { ...Nowhere } }', code: 'graphql_validation_failed' },
  {
    name: '40 doubling fragments',
    query: `{ me { ...F0 } } ${times(40, (n) => `fragment F${n} on User { ...F${n + 1} ...F${n + 1} }`)} fragment F40 on User { id }`,
    code: 'query_too_large',
  },
  {
    name: '100 fragments with many fields each',
    query: `{ me { ${times(100, (n) => `...F${n}`)} } } ${times(100, (n) => `fragment F${n} on User { id name email org role version createdAt updatedAt avatarUrl }`)}`,
    code: 'query_too_large',
  },
  {
    name: '101 fragments',
    query: `{ me { ...F0 } } ${times(101, (n) => `fragment F${n} on User { id }`)}`,
    code: 'query_too_large',
  },
  {
    name: 'one name a thousand times',
    query: `{ me { ${times(1000, () => 'orders { id }')} } }`,
    code: 'query_too_large',
  },
  {
    name: 'one response field 31 times',
    query: `{ me { ${times(30, () => '...F')} ... { id } } } fragment F on User { id }`,
    code: 'query_too_large',
  },
  {
    name: 'one nested response field through several parents',
    query: `{ ${times(11, () => `me { ${times(3, () => 'orders { id }')} }`)} }`,
    code: 'query_too_large',
  },
  {
    name: 'many different fragments with a mistake at the end',
    query: `{ me { ${times(30, (n) => `...F${n}`)} } } ${times(30, (n) => `fragment F${n} on User { id name orders { id total items { id } } ${n === 29 ? 'nope' : 'email'} }`)}`,
    code: 'graphql_validation_failed',
  },
  {
    name: '10,000 nested braces',
    query: `${times(10_000, () => '{ a', ' ')}${'}'.repeat(10_000)}`,
    code: 'query_too_deep',
  },
  {
    name: '20,000 nested list brackets',
    query: `{ user(id: ${'['.repeat(20_000)}${']'.repeat(20_000)}) { id } }`,
    code: 'query_too_deep',
  },
  {
    name: 'nested list brackets in a type',
    query: `query($v: ${'['.repeat(2000)}Int${']'.repeat(2000)}) { me { id } }`,
    code: 'query_too_deep',
  },
  {
    name: '10,000 variables',
    query: `query(${times(10_000, (n) => `$${letters(n)}:A`, '')}) { me { id } }`,
    code: 'query_too_large',
  },
  {
    name: '101 variables',
    query: `query(${times(101, (n) => `$v${n}: Int`)}) { me { id } }`,
    code: 'query_too_large',
  },
  {
    name: '11 operations',
    query: times(11, (n) => `query Q${n} { me { id } }`),
    operationName: 'Q1',
    code: 'query_too_large',
  },
  {
    name: 'an anonymous operation beside a named one',
    query: '{ me { id } } query Named { me { id } }',
    operationName: 'Named',
    code: 'graphql_validation_failed',
  },
  {
    name: 'an empty operationName',
    query: 'query A { me { id } }',
    operationName: '',
    code: 'operation_not_found',
  },
  {
    name: 'an unknown operationName',
    query: 'query A { me { id } }',
    operationName: 'B',
    code: 'operation_not_found',
  },
  {
    name: '900 unknown fields',
    query: `{ me { ${times(900, (n) => `nam${n}`)} } }`,
    code: 'graphql_validation_failed',
  },
  { name: 'text that is not GraphQL', query: '\u0000{', code: 'graphql_parse_failed' },
  { name: 'an extra closing brace', query: '{ me { id } }}', code: 'graphql_parse_failed' },
  {
    name: 'a definition of a type',
    query: 'type A { id: ID } { me { id } }',
    code: 'graphql_validation_failed',
  },
];

/** Requests that are larger than the maximum WebSocket frame, with their HTTP status. */
export const OVERSIZED: readonly (HostileDocument & { readonly status: number })[] = [
  {
    name: 'a string of 200 kB',
    query: `{ user(id: "${'x'.repeat(200_000)}") { id } }`,
    status: 400,
    code: 'query_too_large',
  },
  {
    name: 'comments of 200 kB',
    query: `${times(20_000, () => '# nothing', '\n')}\n{ me { id } }`,
    status: 400,
    code: 'query_too_large',
  },
  {
    name: 'a string of 1 MB',
    query: `{ user(id: "${'x'.repeat(1_000_000)}") { id } }`,
    status: 413,
    code: 'body_too_large',
  },
  {
    name: 'a variable of 1 MB',
    query: 'query ($id: ID!) { user(id: $id) { id } }',
    variables: { id: 'x'.repeat(1_000_000) },
    status: 413,
    code: 'body_too_large',
  },
];
