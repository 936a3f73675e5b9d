/**
 * Relay and Apollo Client page through every connection with their own support for connections, against a
 * running server. The lists are derived from the schema, so new ones are covered automatically.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { cursorLists, fillLists } from '../support/cursor-lists.ts';
import { describeEachEngine } from '../support/engines.ts';
import {
  apolloWith,
  type CreatePagingClient,
  compileLists,
  type Direction,
  type Row,
  relayDocuments,
  relayWith,
} from './paging-clients.ts';
import { compileRelayProject } from './relay-project.ts';

/** Rows per page, and pages to read. */
const SIZE = 3;
const PAGES = 4;

const relay = await compileLists(cursorLists);

const CLIENTS: Readonly<Record<string, CreatePagingClient>> = {
  Relay: relayWith(relay),
  'Apollo Client': apolloWith(cursorLists),
};

describe('relay-compiler', () => {
  const query =
    'query listsQuery($n: Int) { products(first: $n) @connection(key: "lists_products") { edges { node { name } } } }';

  test('supports objects by id in a schema without nodes, as before', async () => {
    const project = await compileRelayProject('lists', [query], {});
    expect(project.request('listsQuery').params.text).toMatch(/node \{\s+name\s+id\s+__typename/);
  });

  test('refuses a list that is not a connection', async () => {
    const documents = [
      query
        .replaceAll('products(first: $n)', 'orders(userId: 1, limit: $n)')
        .replace('lists_products', 'lists_orders'),
    ];
    await expect(compileRelayProject('lists', documents)).rejects.toThrow(/@connection/);
  });

  test('generates the query for each next page: a list of an object by its nodeId', () => {
    expect(relayDocuments(cursorLists)).toHaveLength(2 * cursorLists.length);
    const { metadata } = relay.fragment('lists_Order_history');
    expect(metadata?.refetch?.identifierInfo).toEqual({
      identifierField: 'nodeId',
      identifierQueryVariableName: 'nodeId',
    });
  });
});

describeEachEngine('paging with', (engine) => {
  const app = startApp(engine);
  let token = '';
  beforeAll(() => fillLists(app, engine));
  beforeEach(async () => {
    token = (await app.signIn('ada')).token;
  });

  /** The nodes at one end of the list, from a plain query. */
  async function truth(list: (typeof cursorLists)[number], direction: Direction): Promise<readonly Row[]> {
    const variables = { [direction === 'forward' ? 'first' : 'last']: SIZE * PAGES };
    const { body, text } = await app.graphql(list.document('nodes { __typename id }'), variables, {
      as: 'ada',
    });
    if (!body.data) throw new Error(text);
    // The selection of a page.
    return (list.pageIn(body.data) as { readonly nodes: readonly Row[] }).nodes;
  }

  describe.each(Object.entries(CLIENTS))('%s', (_name, create) => {
    describe.each(cursorLists)('$name', (list) => {
      test.each(['forward', 'backward'] as const)('%s', async (direction) => {
        const expected = await truth(list, direction);
        expect(expected.length).toBeGreaterThan(SIZE);
        const open = create(`${app.url}/graphql`, token);
        const inCache = await open(list, direction, SIZE);
        for (let page = 1; page < PAGES && inCache.hasMore(direction); page += 1) {
          expect(inCache.rows()).toHaveLength(page * SIZE);
          await inCache.loadMore(direction, SIZE);
        }
        expect(inCache.rows()).toEqual(expected);
      });
    });
  });
});
