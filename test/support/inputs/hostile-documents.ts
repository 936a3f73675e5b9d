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

type Row = readonly [code: string, name: string, query: string, operationName?: string];

const TABLE: readonly Row[] = [
  ['query_too_deep', 'depth', `{ ${nested(11)} }`],
  ['query_too_deep', 'depth through named fragments', chained(10)],
  ['query_too_deep', 'depth through inline fragments', `{ ${nested(11, (inner) => `... { ${inner} }`)} }`],
  [
    'query_too_deep',
    'depth in a fragment named __schema',
    `{ user(id: 1) { ...__schema } } fragment __schema on User { ${nested(11).slice('user(id: 1) {'.length, -1)} }`,
  ],
  [
    'query_too_deep',
    'depth in an operation named IntrospectionQuery',
    `query IntrospectionQuery { ${nested(11)} }`,
  ],
  [
    'query_too_deep',
    '13 levels of introspection',
    `{ __schema { types { ${times(5, () => 'fields { type {')} name ${times(10, () => '}')} } } }`,
  ],
  [
    'graphql_validation_failed',
    '3 lists of introspection within each other',
    '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }',
  ],
  ['too_many_root_fields', '31 aliases of __typename', `{ ${times(31, (n) => `a${n}: __typename`)} }`],
  [
    'too_many_aliases',
    '31 aliases of __typename below the root',
    `{ me { ${times(31, (n) => `a${n}: __typename`)} } }`,
  ],
  [
    'too_many_aliases',
    '32 aliases by 16 uses of a fragment',
    `{ ${times(16, (n) => `u${n}: me { ...F }`)} } fragment F on User { a: id }`,
  ],
  ['too_many_root_fields', '21 root fields', `{ ${times(21, () => '__typename')} }`],
  [
    'too_many_root_fields',
    '21 root fields by fragments',
    `{ ${times(7, () => '...F')} } fragment F on Query { __typename me { id } ... { __typename } }`,
  ],
  ['field_repeated', 'login twice by alias', `mutation { a: ${LOGIN} b: ${LOGIN} }`],
  [
    'field_repeated',
    'login twice by fragment',
    `mutation { ...A ...B } fragment A on Mutation { a: ${LOGIN} } fragment B on Mutation { ... { b: ${LOGIN} } }`,
  ],
  ['field_repeated', 'login twice by two operations', `mutation A { ${LOGIN} } mutation B { ${LOGIN} }`, 'A'],
  ['too_many_directives', '20,000 unknown directives', `{ me ${times(20_000, () => '@a')} { id } }`],
  ['graphql_validation_failed', '100 unknown directives', `{ me ${times(100, () => '@a')} { id } }`],
  [
    'graphql_validation_failed',
    'a fragment cycle',
    '{ me { ...A } } fragment A on User { ...B } fragment B on User { id ...A }',
  ],
  [
    'graphql_validation_failed',
    'an unused fragment cycle',
    '{ me { id } } fragment A on User { orders { user { ...B } } } fragment B on User { id ...A }',
  ],
  [
    'graphql_validation_failed',
    'a fragment that spreads itself',
    '{ me { ...A } } fragment A on User { id ...A }',
  ],
  [
    'graphql_validation_failed',
    'a subscription whose root depends on a variable, beside a query',
    'query A { __typename } subscription B($on: Boolean!) { activity @skip(if: $on) { id } }',
    'A',
  ],
  ['graphql_validation_failed', 'an unknown fragment', '{ me { ...Nowhere } }'],
  [
    'query_too_large',
    '40 doubling fragments',
    `{ me { ...F0 } } ${times(40, (n) => `fragment F${n} on User { ...F${n + 1} ...F${n + 1} }`)} fragment F40 on User { id }`,
  ],
  [
    'query_too_large',
    '100 fragments with many fields each',
    `{ me { ${times(100, (n) => `...F${n}`)} } } ${times(100, (n) => `fragment F${n} on User { id name email org role version createdAt updatedAt avatarUrl }`)}`,
  ],
  [
    'query_too_large',
    '101 fragments',
    `{ me { ...F0 } } ${times(101, (n) => `fragment F${n} on User { id }`)}`,
  ],
  ['query_too_large', 'one name a thousand times', `{ me { ${times(1000, () => 'orders { id }')} } }`],
  [
    'query_too_large',
    'one response field 31 times',
    `{ me { ${times(30, () => '...F')} ... { id } } } fragment F on User { id }`,
  ],
  [
    'query_too_large',
    'one nested response field through several parents',
    `{ ${times(11, () => `me { ${times(3, () => 'orders { id }')} }`)} }`,
  ],
  [
    'graphql_validation_failed',
    'many different fragments with a mistake at the end',
    `{ me { ${times(30, (n) => `...F${n}`)} } } ${times(30, (n) => `fragment F${n} on User { id name orders { id total items { id } } ${n === 29 ? 'nope' : 'email'} }`)}`,
  ],
  ['query_too_deep', '10,000 nested braces', `${times(10_000, () => '{ a', ' ')}${'}'.repeat(10_000)}`],
  [
    'query_too_deep',
    '20,000 nested list brackets',
    `{ user(id: ${'['.repeat(20_000)}${']'.repeat(20_000)}) { id } }`,
  ],
  [
    'query_too_deep',
    'nested list brackets in a type',
    `query($v: ${'['.repeat(2000)}Int${']'.repeat(2000)}) { me { id } }`,
  ],
  [
    'query_too_large',
    '10,000 variables',
    `query(${times(10_000, (n) => `$${letters(n)}:A`, '')}) { me { id } }`,
  ],
  ['query_too_large', '101 variables', `query(${times(101, (n) => `$v${n}: Int`)}) { me { id } }`],
  ['query_too_large', '11 operations', times(11, (n) => `query Q${n} { me { id } }`), 'Q1'],
  [
    'graphql_validation_failed',
    'an anonymous operation beside a named one',
    '{ me { id } } query Named { me { id } }',
    'Named',
  ],
  ['operation_not_found', 'an empty operationName', 'query A { me { id } }', ''],
  ['operation_not_found', 'an unknown operationName', 'query A { me { id } }', 'B'],
  ['graphql_validation_failed', '900 unknown fields', `{ me { ${times(900, (n) => `nam${n}`)} } }`],
  ['graphql_parse_failed', 'text that is not GraphQL', '\u0000{'],
  ['graphql_parse_failed', 'an extra closing brace', '{ me { id } }}'],
  ['graphql_validation_failed', 'a definition of a type', 'type A { id: ID } { me { id } }'],
];

export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = TABLE.map(
  ([code, name, query, operationName]) => ({
    name,
    query,
    ...(operationName !== undefined && { operationName }),
    code,
  }),
);

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
