/** Connections: the edges of every list by cursor match its nodes, and each edge has a cursor to continue from. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { type CursorList, cursorLists, fillLists } from '../support/cursor-lists.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';

interface Page {
  readonly nodes: readonly Row[];
  readonly edges: readonly { readonly cursor: string; readonly node: Row }[];
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  readonly nextCursor: string | null;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

interface Row {
  readonly __typename: string;
  readonly id: string;
}

const ROW = '__typename id';
const PAGE = `nodes { ${ROW} } edges { cursor node { ${ROW} } } endCursor hasNextPage nextCursor
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`;

/** The maximum number of pages to read of each list, and of rows to create for each. */
const PAGES = 4;
const SIZE = 3;

/** The maximum page size. */
const MOST = 100;

/** A placeholder for a cursor of the list. */
const CURSOR = 'cursor of the list';

const REFUSED: readonly { variables: object; code: string; path?: string }[] = [
  { variables: { first: 1, last: 1 }, code: 'validation_failed', path: 'last' },
  { variables: { first: 20, last: 20, before: CURSOR }, code: 'validation_failed', path: 'last' },
  { variables: { first: -1 }, code: 'validation_failed', path: 'first' },
  { variables: { first: 0 }, code: 'validation_failed', path: 'first' },
  { variables: { last: -1 }, code: 'validation_failed', path: 'last' },
  { variables: { last: 0 }, code: 'validation_failed', path: 'last' },
  { variables: { first: 1, before: CURSOR }, code: 'validation_failed', path: 'before' },
  { variables: { before: CURSOR }, code: 'validation_failed', path: 'before' },
  { variables: { last: 1, after: CURSOR }, code: 'validation_failed', path: 'after' },
  { variables: { last: 1, before: '' }, code: 'invalid_cursor' },
  { variables: { last: 1, before: 'x' }, code: 'invalid_cursor' },
];

describeEachEngine('lists by cursor', (engine) => {
  const app = startApp(engine);

  beforeAll(() => fillLists(app, engine));

  async function read(list: CursorList, variables: object): Promise<Page> {
    const { body, text } = await app.graphql(list.document(PAGE), { ...variables }, { as: 'ada' });
    if (!body.data) throw new Error(text);
    // The selection of a page.
    const page = list.pageIn(body.data) as Page;
    const { nodes, edges, endCursor, hasNextPage, nextCursor, pageInfo } = page;
    expect(edges.map(({ node }) => node)).toEqual(nodes);
    expect(pageInfo).toMatchObject({ endCursor, hasNextPage });
    expect(nextCursor).toBe(hasNextPage ? endCursor : null);
    expect(new Set(edges.map(({ cursor }) => cursor)).size).toBe(edges.length);
    return page;
  }

  describe.each(cursorLists)('$name', (list) => {
    test('is paged forwards', async () => {
      const all = await read(list, { first: PAGES * SIZE });
      expect(all.nodes.length).toBeGreaterThan(SIZE);
      const seen: Row[] = [];
      let after: string | null = null;
      for (let number = 0; number < PAGES; number += 1) {
        const page: Page = await read(list, { first: SIZE, after });
        seen.push(...page.nodes);
        expect(page.pageInfo.hasPreviousPage).toBe(number > 0);
        after = page.nextCursor;
        if (after === null) break;
      }
      expect(seen).toEqual(all.nodes);
    });

    test('is paged backwards', async () => {
      let page = await read(list, { first: MOST });
      const all = [...page.nodes];
      while (page.nextCursor !== null) {
        page = await read(list, { first: MOST, after: page.nextCursor });
        all.push(...page.nodes);
      }
      const seen: Row[] = [];
      let before: string | null = null;
      for (let number = 0; number < PAGES; number += 1) {
        const { nodes, pageInfo }: Page = await read(list, { last: SIZE, before });
        seen.unshift(...nodes);
        expect(pageInfo.hasNextPage).toBe(number > 0);
        before = pageInfo.startCursor;
        if (!pageInfo.hasPreviousPage) break;
      }
      expect(seen).toEqual(all.slice(-PAGES * SIZE));
    });

    test('continues from each of its edges in both directions', async () => {
      const { nodes, edges } = await read(list, { first: SIZE + 1 });
      for (const [index, { cursor }] of edges.slice(0, -1).entries()) {
        expect((await read(list, { first: 1, after: cursor })).nodes).toEqual([nodes[index + 1]]);
      }
      for (const [index, { cursor }] of edges.entries()) {
        const page = await read(list, { last: SIZE, before: cursor });
        expect(page.nodes).toEqual(nodes.slice(Math.max(0, index - SIZE), index));
        expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: index > SIZE });
      }
    });

    // On one engine, since cursors are read before the first statement of their page.
    if (runsAllCases(engine)) {
      test('refuses cursors of other lists and organisations', async () => {
        const foreign: unknown[] = [];
        for (const other of cursorLists.filter((one) => one !== list)) {
          foreign.push((await read(other, { first: 1 })).endCursor);
        }
        // Parents and their rows belong to one organisation.
        if (!list.parent && !list.given.some((argument) => /Id:/.test(argument))) {
          const theirs = list.document('endCursor').replace('"acme"', '"globex"');
          const { body } = await app.graphql<{ page: Page }>(theirs, { first: 1 }, { as: 'gil' });
          foreign.push(body.data?.page.endCursor);
        }
        for (const after of foreign) {
          expect(after).toEqual(expect.any(String));
          const response = await app.graphql(list.document('endCursor'), { after }, { as: 'ada' });
          expect(codesOf(response)).toEqual(['invalid_cursor']);
        }
      });
    }

    // One of them on PostgreSQL: variables are read before the first statement.
    const refused = runsAllCases(engine) ? REFUSED : REFUSED.slice(0, 1);
    test.each(refused)('refuses $variables', async ({ variables, code, path }) => {
      const isAround = Object.values(variables).includes(CURSOR);
      const cursor = isAround && (await read(list, { first: 1 })).pageInfo.endCursor;
      const given = Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, value === CURSOR ? cursor : value]),
      );
      const { body, text } = await app.graphql(list.document('endCursor'), given, { as: 'ada' });
      const [error] = body.errors ?? [];
      expect(error?.extensions.code, text).toBe(code);
      expect(error?.extensions.details?.map((detail) => detail.path)).toEqual(path && [path]);
    });
  });
});
