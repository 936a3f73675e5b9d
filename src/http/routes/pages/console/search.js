/** The search for objects by number or name. */
import { may, session } from './caller.js';
import { money, sentence } from './format.js';
import { graph } from './graph.js';
import { go } from './router.js';

/** Maximum number of rows of each list that are searched by name. */
export const SEARCHED = 500;
/** Maximum number of results, and of those from each list that the server searches. */
const MAX_FOUND = 20;
const MAX_WORDED = 10;
/** Maximum number of characters that the server searches for. */
const MAX_WORDS = 200;
/** A part of a word: the server refuses to search for a text without words. */
const WORD = /[\p{L}\p{N}]/u;

const hit = (kind, path, title, detail) => ({ title, detail, kind, run: () => go(path) });

const documentHit = ({ id, title }) => hit('Document', `/documents/${id}`, title, `Document ${id}`);
const productHit = ({ id, name }) => hit('Product', `/products/${id}`, name, `Product ${id}`);

/** Queries by number: scope, selection, field and result. */
const NUMBERED = [
  [
    'read:orders',
    'order(id: $id) { id status total currency }',
    'order',
    ({ id, status, total, currency }) =>
      hit('Order', `/orders/${id}`, `Order ${id}`, `${status}, ${money(total, currency)}`),
  ],
  [
    'read:charges',
    'charge(id: $id) { id status amount { value currency } }',
    'charge',
    ({ id, status, amount }) =>
      hit('Charge', `/charges/${id}`, `Charge ${id}`, `${status}, ${money(amount.value, amount.currency)}`),
  ],
  ['read:docs', 'document(org: $org, id: $id) { id title }', 'document', documentHit],
  ['read:orders', 'product(id: $id) { id name }', 'product', productHit],
  [
    'read:users',
    'user(id: $id) { id name role }',
    'user',
    ({ id, name, role }) => hit('Person', `/people/${id}`, name, sentence(role)),
  ],
];

/** The kinds of {@link NUMBERED}. Other words before a number belong to a name. */
const KINDS = ['order', 'charge', 'document', 'product', 'person'];

/** Queries by words, which the server searches for. */
const WORDED = [
  [
    'read:docs',
    `documents(org: $org, q: $words, first: ${MAX_WORDED}) { nodes { id title } }`,
    'documents',
    documentHit,
  ],
  ['read:orders', `products(q: $words, first: ${MAX_WORDED}) { nodes { id name } }`, 'products', productHit],
];

/** Lists that the page searches itself, since the server has no search for them: scope, arguments, members, field and result. */
const LISTED = [
  [
    'read:users',
    'org: $org, ',
    'id name email',
    'members',
    ({ id, name, email }) => hit('Person', `/people/${id}`, name, email),
  ],
  [
    'manage:webhooks',
    '',
    'id url',
    'webhooks',
    ({ id, url }) => hit('Webhook', `/webhooks/${id}`, url, `Webhook ${id}`),
  ],
  [
    'manage:api-keys',
    '',
    'id name prefix',
    'apiKeys',
    ({ name, prefix }) => hit('API key', '/api-keys', name, prefix),
  ],
  [
    'manage:apps',
    '',
    'id name clientId',
    'apps',
    ({ id, name, clientId }) => hit('App', `/apps/${id}`, name, clientId),
  ],
];

/** Reads a list to its end, up to {@link SEARCHED} rows: `{hits, isCut}`. */
async function readList([, given, members, field, show]) {
  const declared = given ? '$org: String!, $after: String' : '$after: String';
  const document = `query SearchList(${declared}) {
    ${field}(${given}first: 100, after: $after) { nodes { ${members} } endCursor hasNextPage }
  }`;
  const variables = given ? { org: session.value.org } : {};
  const hits = [];
  let after = null;
  do {
    const page = (await graph(document, { ...variables, after }))[field];
    hits.push(...page.nodes.map(show));
    after = page.hasNextPage ? page.endCursor : null;
  } while (after && hits.length < SEARCHED);
  return { hits, isCut: after !== null };
}

const readLists = () => Promise.all(LISTED.filter(([scope]) => may(scope)).map(readList));

/** The types of the variables of these queries. */
const VARIABLES = { id: 'ID!', org: 'String!', words: 'String!' };

/** Runs the parts that the caller may read as one operation. A refused part, such as an object of another organisation, is omitted. */
async function find(parts, variables, abort) {
  const allowed = parts.filter(([scope]) => may(scope));
  if (allowed.length === 0) return [];
  const selected = allowed.map(([, part]) => part).join(' ');
  // An operation may only declare variables that it uses.
  const used = Object.entries(variables).filter(([name]) => selected.includes(`$${name}`));
  const declared = used.map(([name]) => `$${name}: ${VARIABLES[name]}`).join(', ');
  const document = `query Search(${declared}) { ${selected} }`;
  const data = await graph(document, Object.fromEntries(used), { signal: abort, partial: true });
  return allowed.flatMap(([, , name, show]) => (data[name]?.nodes ?? [data[name]]).filter(Boolean).map(show));
}

export const contains = (text, wanted) => text.toLowerCase().includes(wanted);

/** Queries the server for objects with this number. @param kind the beginning of their kind: `order 7` finds only orders. */
async function searchNumber(kind, number, abort) {
  const found = await find(NUMBERED, { id: number, org: session.value.org }, abort);
  return { hits: found.filter((one) => one.kind.toLowerCase().startsWith(kind)) };
}

/** Searches the lists for names with this text, and lets the server search for the rest. */
async function searchName(wanted, lists, abort) {
  const variables = { org: session.value.org, words: wanted.slice(0, MAX_WORDS) };
  const [read, worded] = await Promise.all([lists, WORD.test(wanted) ? find(WORDED, variables, abort) : []]);
  const named = read
    .flatMap(({ hits }) => hits)
    .filter(({ title, detail }) => contains(title, wanted) || contains(detail, wanted));
  return { hits: [...named, ...worded].slice(0, MAX_FOUND), isCut: read.some(({ isCut }) => isCut) };
}

/**
 * Returns a function that searches for a number or a name: `{hits, isCut}`, whether there are rows that were not searched. It reads the
 * lists once.
 */
export function makeSearch() {
  let lists;
  return (text, abort) => {
    const wanted = text.trim().toLowerCase();
    const [, kind = '', number] = /^(?:([a-z]+) )?#?(\d{1,15})$/.exec(wanted) ?? [];
    if (number && KINDS.some((one) => one.startsWith(kind))) return searchNumber(kind, number, abort);
    lists ??= readLists().catch((error) => {
      lists = undefined;
      throw error;
    });
    return searchName(wanted, lists, abort);
  };
}
