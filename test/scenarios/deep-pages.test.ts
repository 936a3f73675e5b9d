/**
 * Pages of long lists: the maximum depth of numbered pages, and how far a page by cursor searches for visible
 * rows.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { manyRows } from '../support/fixtures/rows.ts';

const ORDERS = LIMITS.pageDepth + 200;
/** Two pages without a visible row, and some more. */
const HIDDEN = 2 * LIMITS.unreadLookedAt + 50;
const VIC = 3;

describeEachEngine('a user with many orders', (engine) => {
  const app = startApp(engine);

  beforeAll(async () => {
    const { now, numbers } = manyRows(engine);
    await engine.place.query(`insert into orders (org, user_id, status, total, currency, created_at, updated_at)
      select 'acme', ${VIC}, 'cancelled', n, 'USD', ${now}, ${now} from ${numbers(ORDERS)}`);
    await engine.place.query(`delete from order_counts`);
    await engine.place.query(`insert into order_counts (org, user_id, status, orders)
      select org, user_id, status, count(*) from orders where deleted_at is null group by org, user_id, status`);
  });

  const LIST = `/v1/users/${VIC}/orders?status=cancelled`;
  interface Page {
    readonly data: readonly { readonly total: number }[];
    readonly pagination: { readonly page: number; readonly total: number; readonly next: string | null };
  }

  test('the deepest page is returned, with a link', async () => {
    const page = LIMITS.pageDepth / 100 + 1;
    const { status, body } = await app.get<Page>(`${LIST}&sort=total&limit=100&page=${page}`, { as: 'ada' });
    expect(status).toBe(200);
    expect(body.data).toHaveLength(100);
    expect(body.pagination.next).toContain(`page=${page + 1}`);
    expect(body.pagination.total).toBeGreaterThanOrEqual(ORDERS);
    const totals = body.data.map(({ total }) => total);
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
  });

  test('a deeper page is refused on every door, with an alternative', async () => {
    const page = LIMITS.pageDepth / 100 + 2;
    const response = await app.get(`${LIST}&limit=100&page=${page}`, { as: 'ada' });
    expectError(response, { status: 400, code: 'page_too_deep' });
    expect(response.text).toContain(String(LIMITS.pageDepth));
    expect(response.text).toContain('GET /v1/orders?user_id=');
    expect(app.statements).toEqual(['orderCounts.withStatus']);
    const query = `{ orders(userId: ${VIC}, status: cancelled, limit: 100, page: ${page}) { nodes { id } } }`;
    expect(codesOf(await app.graphql(query, {}, { as: 'ada' }))).toEqual(['page_too_deep']);
  });

  test('a page past the end is empty, without a query for rows', async () => {
    for (const page of [1000, 2_147_483_647]) {
      const { status, body } = await app.get<Page>(`${LIST}&limit=100&page=${page}`, { as: 'ada' });
      expect(status).toBe(200);
      expect(body).toMatchObject({ data: [], pagination: { page, next: null } });
      expect(app.statements).not.toContainEqual(expect.stringMatching(/^orders\./));
    }
  });
});

describeEachEngine('a list with mostly hidden rows', (engine) => {
  const app = startApp(engine);
  let oldest: number;

  beforeAll(async () => {
    const { now, numbers } = manyRows(engine);
    // Confidential documents between two public ones, with an event for each.
    for (const [count, classification] of [
      [1, 'internal'],
      [HIDDEN, 'confidential'],
      [1, 'internal'],
    ] as const) {
      await engine.place.query(`insert into documents (org, author_id, title, body, classification, created_at, updated_at)
        select 'acme', 1, 'Title', 'Text', '${classification}', ${now}, ${now} from ${numbers(count)}`);
    }
    await engine.place.query(`insert into events (org, type, actor_id, subject_type, subject_id, data, created_at)
      select 'acme', 'document.updated', 1, 'document', id, '{}', ${now} from documents where org = 'acme' and id > 4 order by id`);
    const [row] = await engine.place.query(
      `select min(id) as id from events where type = 'document.updated'`,
    );
    oldest = Number(row?.['id']);
  });

  interface Page {
    readonly data: readonly { readonly id: number }[];
    readonly next_cursor: string | null;
  }

  /** Follows the cursor to the end. @returns all pages, with the statements that each ran. */
  async function walk(path: string, as: 'ada' | 'vic') {
    const pages: { ids: number[]; statements: readonly string[] }[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const given: string = cursor && `&cursor=${cursor}`;
      const { status, body }: { status: number; body: Page } = await app.get<Page>(`${path}${given}`, { as });
      expect(status).toBe(200);
      pages.push({ ids: body.data.map(({ id }) => id), statements: [...app.statements] });
      cursor = body.next_cursor;
    }
    return pages;
  }

  describe.each([
    { list: 'documents', path: '/v1/orgs/acme/docs?limit=100', visible: 4 },
    { list: 'the feed', path: '/feed?limit=100', visible: undefined },
    { list: 'the feed of a type', path: '/feed?limit=100&type=document.updated', visible: 2 },
    {
      list: 'confidential documents',
      path: '/v1/orgs/acme/docs?limit=100&classification=confidential',
      visible: 0,
    },
  ])('$list', ({ path, visible }) => {
    test('is read to its end in short pages, each with bounded work', async () => {
      const pages = await walk(path, 'vic');
      // One statement for the page, one for the remainder, one for the rows, and those for their texts.
      for (const { statements, ids } of pages) {
        const most = 3 + Math.ceil(ids.length / LIMITS.bodiesReadAtOnce);
        expect(statements.length, statements.join()).toBeLessThanOrEqual(most);
      }
      expect(pages.filter(({ ids }) => ids.length === 0).length).toBeGreaterThanOrEqual(1);
      const ids = pages.flatMap((page) => page.ids);
      expect(new Set(ids).size).toBe(ids.length);
      if (visible !== undefined) expect(ids).toHaveLength(visible);
    });

    test('shows everything to an administrator, in full pages', async () => {
      const pages = await walk(path, 'ada');
      expect(pages.slice(0, -1).every(({ ids }) => ids.length === 100)).toBe(true);
      expect(pages.flatMap((page) => page.ids).length).toBeGreaterThanOrEqual(HIDDEN);
    });
  });

  test('GraphQL reports that there is more, with a cursor', async () => {
    const { body } = await app.graphql<{
      feed: { nodes: unknown[]; endCursor: string; hasNextPage: boolean };
    }>(
      '{ feed(first: 5, types: ["document.updated"]) { nodes { id } endCursor hasNextPage } }',
      {},
      { as: 'vic' },
    );
    expect(body.data?.feed.nodes).toHaveLength(1);
    expect(body.data?.feed.hasNextPage).toBe(true);
    expect(body.data?.feed.endCursor).toEqual(expect.any(String));
  });

  test('unread events are counted among the newest events, up to 100', async () => {
    const unread = async (as: 'ada' | 'vic') => {
      const { body } = await app.graphql<{ me: { unreadNotifications: number } }>(
        '{ me { unreadNotifications } }',
        {},
        { as },
      );
      return body.data?.me.unreadNotifications;
    };
    expect(await unread('ada')).toBe(LIMITS.unreadMost);
    // Among the newest 1,000 events, one is about a public document; those of the demo data are older.
    expect(await unread('vic')).toBe(1);
    await app.graphql(
      'mutation ($id: ID!) { markFeedRead(eventId: $id) { id } }',
      { id: oldest },
      { as: 'vic' },
    );
    expect(await unread('vic')).toBe(1);
  });

  test('documents of an author are searched up to a limit', async () => {
    const wrote = async (as: 'ada' | 'vic', given: string) => {
      const { body } = await app.graphql<{ user: { documents: unknown[] } }>(
        `{ user(id: 1) { documents(${given}) { id } } }`,
        {},
        { as },
      );
      return body.data?.user.documents.length;
    };
    expect(await wrote('ada', 'last: 100')).toBe(100);
    expect(await wrote('vic', 'last: 100')).toBe(1);
    expect(await wrote('vic', 'first: 100')).toBe(3);
  });
});
