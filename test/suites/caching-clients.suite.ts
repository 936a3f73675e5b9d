/**
 * Clients with normalising caches read the feed, histories and lists in random order. A cached object changes
 * only if the response has a newer version of it, and in the end every cache equals the server's state.
 */
import { type DocumentNode, parse } from 'graphql';
import { beforeEach, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { randomIntegers } from '../support/inputs/random-integers.ts';
import { type CachingClient, CLIENTS } from './caching-clients.ts';

const ACTIVITY = `__typename id type cursor actorId actor { __typename id name } subjectType subjectId
  subject { __typename type id } data createdAt`;
const EVENTS = `{ __typename nodes { ${ACTIVITY} } endCursor hasNextPage nextCursor }`;
const USER = '__typename id org name email role avatarUrl version createdAt updatedAt removedAt';
const DOCUMENT = `__typename id org title body classification authorId author { ${USER} } version createdAt updatedAt`;
const ORDER = `__typename id userId status total currency version createdAt updatedAt user { ${USER} }
  items { __typename id productId name qty unitPrice thumbnailUrl product { __typename id name unitPrice currency } }`;

/** Different paths to the same objects: pages of every size, filters, lists and single objects. */
const QUERIES: readonly DocumentNode[] = [
  `feed(first: 5) ${EVENTS}`,
  `feed(first: 60) ${EVENTS}`,
  `feed(first: 20, types: ["document.updated", "document.created"]) ${EVENTS}`,
  `feed(first: 20, types: ["order.created", "order.cancelled"]) ${EVENTS}`,
  ...[1, 2, 3].map((id) => `document(org: "acme", id: ${id}) { ${DOCUMENT} history(first: 20) ${EVENTS} }`),
  `document(org: "acme", id: 1) { ${DOCUMENT} history(first: 2) ${EVENTS} }`,
  `documents(org: "acme", first: 20) { __typename nodes { ${DOCUMENT} } endCursor hasNextPage }`,
  `documents(org: "acme", first: 2) { __typename nodes { ${DOCUMENT} history(first: 5) ${EVENTS} } endCursor hasNextPage }`,
  `orders(userId: 1, limit: 20) { __typename nodes { ${ORDER} } }`,
  `orders(userId: 1, limit: 5, status: pending) { __typename nodes { ${ORDER} } }`,
  ...[1, 2, 3].map((id) => `order(id: ${id}) { ${ORDER} }`),
  `user(id: 1) { ${USER} orders(last: 10) { ${ORDER} } documents { ${DOCUMENT} } }`,
  `members(org: "acme", first: 20) { __typename nodes { ${USER} } endCursor }`,
  'products(first: 20) { __typename nodes { __typename id name unitPrice currency thumbnailUrl createdAt } endCursor }',
].map((selection, index) => parse(`query Read${index} { ${selection} }`));

/** The reads of each run, and the seeds of their orders. */
const READS = Number(process.env['READS'] ?? 15);
const SEEDS = [1, 2];

type Members = Readonly<Record<string, unknown>>;

/**
 * The objects of a result by type and id, with their selected fields, except lists of other objects, which
 * have pages.
 */
function objectsIn(value: unknown, found = new Map<string, Members>()): Map<string, Members> {
  if (Array.isArray(value)) for (const element of value) objectsIn(element, found);
  else if (typeof value === 'object' && value !== null) {
    // Every object that is not a list has members.
    const members = value as Members;
    const { __typename: typeName, id } = members;
    if (typeof typeName === 'string' && id !== undefined) {
      const own = Object.entries(members).filter(
        ([name, member]) => name === 'data' || typeof member !== 'object' || member === null,
      );
      const key = `${typeName}:${id}`;
      found.set(key, { ...found.get(key), ...Object.fromEntries(own) });
    }
    for (const [name, member] of Object.entries(members)) if (name !== 'data') objectsIn(member, found);
  }
  return found;
}

/** Fields whose value changed without a newer version. */
function changesIn(before: Members, now: Members): string[] {
  const isNewer = Number(now['version']) > Number(before['version']);
  return Object.keys(before).filter(
    (name) => name in now && !isNewer && JSON.stringify(now[name]) !== JSON.stringify(before[name]),
  );
}

describeEachEngine('the cache of', (engine) => {
  const app = startApp(engine);
  let url = '';
  let token = '';
  beforeEach(async () => {
    url = `${app.url}/graphql`;
    token = (await app.signIn('ada')).token;
  });

  /** Creates a newer version of something in the lists. */
  const change = async (n: number) => {
    const body = { title: `Title ${n}` };
    await app.patch(`/v1/orgs/acme/docs/${(n % 3) + 1}`, { as: 'ada', body });
    await app.post('/v1/users/1/orders', { as: 'ada', body: { items: [{ product_id: 1, qty: 1 }] } });
  };

  test.each(Object.entries(CLIENTS))('%s changes only by newer versions', async (_name, create) => {
    for (const seed of SEEDS) {
      const client: CachingClient = create(url, token);
      const between = randomIntegers(seed);
      const seen = new Map<string, Members>();
      const read = new Set<DocumentNode>();
      const compare = async () => {
        const changes: string[] = [];
        for (const query of read) {
          for (const [key, now] of objectsIn(await client.cached(query))) {
            const before = seen.get(key);
            if (before) changes.push(...changesIn(before, now).map((name) => `${key}.${name}`));
            seen.set(key, { ...before, ...now });
          }
        }
        expect(changes).toEqual([]);
      };
      for (let n = 0; n < READS; n += 1) {
        const query = QUERIES[between(0, QUERIES.length - 1)] as DocumentNode;
        await client.fetch(query);
        read.add(query);
        await compare();
        if (between(1, 8) === 1) await change(n);
      }
      for (const query of QUERIES) {
        await client.fetch(query);
        read.add(query);
      }
      await compare();
      // From the feed: at least a document, an order, a product, a user, an actor and a subject.
      const types = new Set([...seen.keys()].map((key) => key.slice(0, key.indexOf(':'))));
      for (const type of [
        'Activity',
        'Actor',
        'Document',
        'DocumentSubject',
        'Item',
        'Order',
        'OrderSubject',
        'Product',
        'User',
      ]) {
        expect(types).toContain(type);
      }
      const truth = createTruth(url, token);
      for (const query of QUERIES) {
        expect(objectsIn(await client.cached(query))).toEqual(objectsIn(await truth(query)));
      }
    }
  });
});

/** The current state of the server, read without a cache. */
const createTruth = (url: string, token: string) => async (query: DocumentNode) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: query.loc?.source.body }),
  });
  return ((await response.json()) as { data: unknown }).data;
};
