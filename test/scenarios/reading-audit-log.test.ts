/** Reading the audit log: access, pages and filters. */
import { beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { startApp } from '../support/app.ts';
import { codesOf, type GraphQLAnswer, PEOPLE, type RequestOptions } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { createKey, withKey } from '../support/fixtures/api-keys.ts';
import type { AuditEntry, CursorPage } from '../support/response-bodies.ts';

interface Backwards {
  readonly auditLog: {
    readonly nodes: readonly { readonly id: string; readonly actor: object }[];
    readonly pageInfo: { readonly hasPreviousPage: boolean; readonly startCursor: string };
  };
}

describeEachEngine('the audit log', (engine) => {
  const app = startApp(engine, { realTime: true, signIns: { perAccount: 1000, fromUnknown: 1000 } });
  const list = async (query = '', as: RequestOptions['as'] = 'ada') =>
    (await app.get<CursorPage<AuditEntry>>(`/v1/audit-log?${query}`, { as })).body.data;

  /** Adds entries besides those of events, and an event with its origin. */
  beforeAll(async () => {
    for (let round = 0; round < 10; round += 1) {
      for (const person of ['ada', 'ed'] as const) {
        const login = { email: PEOPLE[person], password: DEMO_PASSWORD };
        expect((await app.post('/v1/auth/login', { body: login })).status).toBe(200);
        const body = { name: 'Lamp', unit_price: 12.5, currency: 'USD' };
        expect((await app.post('/v1/products', { as: person, body })).status).toBe(201);
      }
    }
    await app.signIn('gil');
  });

  test('includes the event log, while the feed does not show sources', async () => {
    const [entry] = await list('type=product.created&limit=1');
    const feed = await app.get<CursorPage<object>>('/feed?type=product.created&limit=1', { as: 'ada' });
    expect(feed.body.data).toEqual([
      {
        id: entry?.event_id,
        type: entry?.type,
        actor_id: entry?.actor_id,
        subject: { type: entry?.subject_type, id: entry?.subject_id },
        data: entry?.data,
        created_at: entry?.created_at,
      },
    ]);
    const types = (await app.get<CursorPage<AuditEntry>>('/feed?limit=100', { as: 'ada' })).body.data.map(
      ({ type }) => type,
    );
    expect(types).not.toContain('user.signed_in');
    expectError(await app.get('/feed?type=user.signed_in', { as: 'ada' }), {
      status: 400,
      code: 'invalid_parameter',
      paths: ['type'],
    });
  });

  test('is for administrators only: no other role can have its scope', async () => {
    const login = { email: PEOPLE.ed, password: DEMO_PASSWORD, scopes: ['read:audit'] };
    const refused = await app.graphql(
      'mutation ($email: String!, $password: String!, $scopes: [String!]) { login(email: $email, password: $password, scopes: $scopes) { accessToken } }',
      login,
    );
    expect(codesOf(refused)).toEqual(['validation_failed']);
    const key = await createKey(app, { scopes: ['read:audit'] });
    expect((await app.get('/v1/audit-log', withKey(key.key))).status).toBe(200);
  });

  describe('of several pages', () => {
    let all: readonly AuditEntry[] = [];
    beforeAll(async () => {
      all = await everything('limit=100');
    });

    async function everything(query: string): Promise<AuditEntry[]> {
      const entries: AuditEntry[] = [];
      let cursor: string | null = '';
      do {
        const path: string = `/v1/audit-log?${query}${cursor && `&cursor=${cursor}`}`;
        const { body }: { body: CursorPage<AuditEntry> } = await app.get<CursorPage<AuditEntry>>(path, {
          as: 'ada',
        });
        entries.push(...body.data);
        cursor = body.next_cursor;
      } while (cursor !== null);
      return entries;
    }

    const time = ({ created_at }: AuditEntry) => Date.parse(created_at);
    const ids = (entries: readonly AuditEntry[]) => entries.map(({ id }) => id);

    test('lists the newest first, each entry once, of one organisation', async () => {
      const order = (a: AuditEntry, b: AuditEntry) => time(b) - time(a) || b.id - a.id;
      expect(ids(all)).toEqual(ids(all.toSorted(order)));
      expect(new Set(ids(all)).size).toBe(all.length);
      expect(ids(await everything('limit=7'))).toEqual(ids(all));
      const [events] = await engine.place.query(`select count(*) as n from events where org = 'acme'`);
      expect(all.filter(({ event_id }) => event_id !== null)).toHaveLength(Number(events?.['n']));
      const others = ids(await list('limit=100', 'gil'));
      expect(others.length).toBeGreaterThan(0);
      expect(others.filter((id) => ids(all).includes(id))).toEqual([]);
    });

    const FILTERS: readonly [name: string, query: () => string, holds: (entry: AuditEntry) => boolean][] = [
      ['an actor', () => 'actor_id=2', ({ actor_id }) => actor_id === 2],
      ['a type', () => 'type=user.signed_in', ({ type }) => type === 'user.signed_in'],
      [
        'types',
        () => 'type=user.signed_in&type=order.created&type=user.signed_in',
        ({ type }) => type === 'user.signed_in' || type === 'order.created',
      ],
      [
        'an actor and types',
        () => 'actor_id=1&type=user.signed_in&type=order.created',
        ({ type, actor_id }) => actor_id === 1 && (type === 'user.signed_in' || type === 'order.created'),
      ],
      [
        'a time',
        () => `created_after=${all[40]?.created_at}`,
        (entry) => time(entry) > Date.parse(all[40]?.created_at ?? ''),
      ],
      [
        'two times and an actor',
        () => `created_after=${all[60]?.created_at}&created_before=${all[10]?.created_at}&actor_id=1`,
        (entry) =>
          entry.actor_id === 1 &&
          time(entry) > Date.parse(all[60]?.created_at ?? '') &&
          time(entry) < Date.parse(all[10]?.created_at ?? ''),
      ],
      ['an actor without such an entry', () => 'actor_id=2&type=user.removed', () => false],
    ];
    test.each(FILTERS)('filtered by %s', async (_name, query, holds) => {
      expect(ids(await everything(`${query()}&limit=5`))).toEqual(ids(all.filter(holds)));
    });

    test('from its end, through GraphQL', async () => {
      const document = `query ($before: String) { auditLog(last: 9, before: $before, actorId: 1) {
        nodes { id actor { name } eventId } pageInfo { hasPreviousPage startCursor } } }`;
      const expected = ids(all.filter(({ actor_id }) => actor_id === 1));
      const seen: number[] = [];
      let before: string | null = null;
      do {
        const response: GraphQLAnswer<Backwards> = await app.graphql(document, { before }, { as: 'ada' });
        const { nodes, pageInfo } = response.body.data?.auditLog ?? expect.unreachable();
        seen.unshift(...nodes.map(({ id }) => Number(id)));
        before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
        expect(nodes[0]?.actor).toEqual({ name: 'Ada Brandt' });
      } while (before !== null);
      expect(seen).toEqual(expected);
    });
  });

  describe('refuses', () => {
    test.each([
      ['an unknown type among others', 'type=user.signed_in&type=x', ['type.1']],
      [
        'a range that is reversed',
        'created_after=2026-02-01T00:00:00Z&created_before=2026-01-01T00:00:00Z',
        ['created_before'],
      ],
      ['too many types', Array.from({ length: 51 }, () => 'type=user.added').join('&'), ['type']],
    ])('%s', async (_name, query, paths) => {
      expectError(await app.get(`/v1/audit-log?${query}`, { as: 'ada' }), {
        status: 400,
        code: 'invalid_parameter',
        paths,
      });
    });

    test('a cursor of other filters', async () => {
      const page = await app.get<CursorPage<AuditEntry>>('/v1/audit-log?limit=1', { as: 'ada' });
      const path = `/v1/audit-log?actor_id=1&cursor=${page.body.next_cursor}`;
      expectError(await app.get(path, { as: 'ada' }), { status: 400, code: 'invalid_cursor' });
      const both = await app.graphql('{ auditLog(types: []) { nodes { id } } }', {}, { as: 'ada' });
      expect(codesOf(both)).toEqual(['validation_failed']);
    });
  });
});
