/** Parsing costs points even if the request is refused: without points, a request is rejected before it is parsed. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { distinctRoutes } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody, GraphQLBody } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { DOCUMENT_DOORS } from '../support/graphql-doors.ts';

const POINTS = 2000;
const PER_SECOND = 1000;

/** Different documents of 8,000 characters each. */
const LENGTH = 8000;
let serial = 0;
function unseen(begin: string, length = LENGTH): string {
  serial += 1;
  return `${begin} # ${serial} `.padEnd(length, 'x');
}

const READING = LENGTH / LIMITS.documentCharactersPerPoint;

/** Messages close to the maximum size. */
const BODY = `{"a": "${'x'.repeat(200 * 1024)}"`;
const READING_BODY = Math.floor(BODY.length / LIMITS.bodyCharactersPerPoint);

const withBody = distinctRoutes.filter(({ method, signed }) => /POST|PUT|PATCH/.test(method) && !signed);

// These are refused before any statement.
describeOnSqlite('refused requests', (engine) => {
  const app = startApp(engine, { budget: { points: POINTS, perSecond: PER_SECOND } });

  afterEach(() => app.clock.advance((POINTS / PER_SECOND) * 1000));

  /** The remaining points of a caller; reading them costs one point. */
  async function left(as?: 'ada'): Promise<number> {
    const { headers } = await app.get('/v1/orders/nothing', as ? { as } : {});
    return Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  }

  async function spentBy(action: () => Promise<unknown>, as?: 'ada'): Promise<number> {
    const before = await left(as);
    await action();
    return before - (await left(as)) - 1;
  }

  async function empty(as?: 'ada'): Promise<void> {
    for (const length of [LENGTH, LENGTH / 10, LENGTH / 50]) {
      for (let turn = 0; ; turn += 1) {
        const response = await app.graphql(unseen('{ nope }', length), {}, as ? { as } : {});
        if (response.status === 429) break;
        if (turn > POINTS) throw new Error('It never ends.');
      }
    }
    while ((await left(as)) > 0);
  }

  describe.each(DOCUMENT_DOORS)('over $name', ({ open }) => {
    test('a document is charged for parsing, and only once if it is cached', async () => {
      const visit = await open(app, 'ada');
      const bad = unseen('{ nope }');
      for (let turn = 0; turn < 2; turn += 1) {
        const refused = await spentBy(() => visit.send({ query: bad }), 'ada');
        expect(refused).toBeGreaterThanOrEqual(READING + LIMITS.refusedDocumentCost);
      }
      const good = unseen('{ __typename }');
      expect(await spentBy(() => visit.send({ query: good }), 'ada')).toBeGreaterThan(READING);
      // A long message is parsed each time; the document in it is cached.
      const again = await spentBy(() => visit.send({ query: good }), 'ada');
      expect(again).toBeLessThanOrEqual(1 + Math.ceil(LENGTH / LIMITS.bodyCharactersPerPoint));
      visit.close();
    });

    test('without points a document is not parsed', async () => {
      const visit = await open(app, 'ada');
      await empty('ada');
      const reply = await visit.send({ query: '{ this is no document' });
      expect(reply.body?.errors?.[0]?.extensions.code).toBe('rate_limited');
      visit.close();
    });

    test('without points a long message is not parsed', async () => {
      const visit = await open(app, 'ada');
      await empty('ada');
      const { status, closed, body } = await visit.send({ query: unseen('{ this is no document') });
      if (closed !== undefined) expect(closed).toBe(1013);
      else {
        expect(status).toBe(429);
        expect(body?.errors?.[0]?.extensions.code).toBe('rate_limited');
      }
      visit.close();
    });
  });

  test('a document sent with GET is charged for parsing as well', async () => {
    const path = `/graphql?${new URLSearchParams({ query: unseen('{ nope }') })}`;
    const refused = await spentBy(() => app.get(path, { as: 'ada' }), 'ada');
    expect(refused).toBe(READING + LIMITS.refusedDocumentCost);
    await empty('ada');
    const response = await app.get<GraphQLBody<unknown>>(path, { as: 'ada' });
    expect(response.status).toBe(429);
  });

  test('a document with an unknown or wrong hash is charged', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'nothing' } };
    for (const query of ['', '{ __typename }']) {
      const body = { query, extensions };
      const spent = await spentBy(() => app.post('/graphql', { as: 'ada', body }), 'ada');
      expect(spent).toBe(LIMITS.refusedDocumentCost);
    }
  });

  test('without credentials, the budget of the network is charged', async () => {
    const query = unseen('{ nope }');
    expect(await spentBy(() => app.graphql(query))).toBeGreaterThanOrEqual(READING);
    await empty();
    expect((await app.graphql('{ this is no document')).status).toBe(429);
  });

  test('a message with an invalid signature is charged by its length', async () => {
    const send = (text: string) => app.post<ErrorBody>('/v1/payment-events', { text });
    for (const [text, cost] of [
      [BODY, READING_BODY],
      ['{}', 1],
    ] as const) {
      const spent = await spentBy(async () => {
        expect((await send(text)).body.error.code).toBe('invalid_signature');
      });
      expect(spent).toBe(cost);
    }
    await empty();
    expect((await send('{}')).body.error.code).toBe('rate_limited');
  });

  describe.each(withBody)('$method $path', ({ method, path }) => {
    const url = path.replaceAll(/\{\w+\}/g, '1');
    beforeAll(() => app.signIn('ada'));

    test('a large body is charged for parsing, and is not parsed without points', async () => {
      const send = () => app.request<ErrorBody>(method, url, { as: 'ada', text: BODY });
      const spent = await spentBy(async () => {
        expect((await send()).body.error.code).toBe('invalid_json');
      }, 'ada');
      expect(spent).toBeGreaterThanOrEqual(READING_BODY);
      await empty('ada');
      expect((await send()).body.error.code).toBe('rate_limited');
    });

    test('a small body of invalid JSON costs a point', async () => {
      const spent = await spentBy(() => app.request(method, url, { as: 'ada', text: '{' }), 'ada');
      expect(spent).toBe(1);
    });
  });
});
