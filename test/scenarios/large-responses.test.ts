/** The response limit of 8 MiB on every door, and the price of long texts, which is charged at each use. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import { DOCUMENT_DOORS } from '../support/graphql-doors.ts';
import { waitUntil } from '../support/process.ts';
import { endOfLog, SocketClient, subscribe } from '../support/raw-clients.ts';
import { DEFAULTS } from '../support/settings.ts';

const BODY = 'x'.repeat(95_000);
/** Selected this many times, the text of one document exceeds the limit. */
const USES = Math.ceil(DEFAULTS.http.responseLimit / BODY.length);
const PAGE = 5;
const ALIASES = Math.ceil(USES / PAGE);

// The size is measured in the written response, and the price in its texts.
describeOnSqlite('a response', (engine) => {
  const app = startApp(engine);

  beforeAll(async () => {
    for (let count = 0; count < PAGE; count += 1) {
      const body = { title: `Long ${count}`, body: BODY };
      await app.post('/v1/orgs/acme/docs', { as: 'ada', body });
    }
  });

  /** Selects the text of some documents several times each. */
  const selecting = (aliases: number) => {
    const uses = Array.from({ length: aliases }, (_, index) => `b${index}: body`);
    return `{ me { documents(last: ${PAGE}) { ${uses.join(' ')} } } }`;
  };

  test('costs the price of a long text at each use', async () => {
    const cost = async (aliases: number) => (await app.graphql(selecting(aliases), {}, { as: 'ada' })).cost;
    const [one, ten] = [await cost(1), await cost(10)];
    expect((ten?.requestedQueryCost ?? 0) - (one?.requestedQueryCost ?? 0)).toBe(9 * PAGE * 5);
    expect((ten?.actualQueryCost ?? 0) - (one?.actualQueryCost ?? 0)).toBe(9 * PAGE * 5);
    const flood = await app.graphql(selecting(29).replace(`last: ${PAGE}`, 'last: 20'), {}, { as: 'ada' });
    expect(codesOf(flood)).toEqual(['cost_exceeded']);
  });

  describe.each(DOCUMENT_DOORS)('over $name', ({ refusal, open }) => {
    test('above the limit is refused with its cost', async () => {
      const visit = await open(app, 'ada');
      const reply = await visit.send({ query: selecting(ALIASES) });
      expect(reply.body?.errors?.map(({ extensions: { code } }) => code)).toEqual(['response_too_large']);
      expect(reply.body).not.toHaveProperty('data');
      expect(reply.status).toBe(refusal);
      const smaller = await visit.send({ query: selecting(ALIASES - 1) });
      expect(smaller.body?.errors).toBeUndefined();
      visit.close();
    });
  });

  test('over REST, a response above the limit is refused', async () => {
    const body = { title: 'Escapes', body: '\u0001'.repeat(40_000) };
    const count = Math.ceil(DEFAULTS.http.responseLimit / (40_000 * 6));
    for (let made = 0; made < count; made += 1) await app.post('/v1/orgs/globex/docs', { as: 'gil', body });
    expectError(await app.get('/v1/orgs/globex/docs?limit=100', { as: 'gil' }), {
      status: 400,
      code: 'response_too_large',
    });
    expect((await app.get('/v1/orgs/globex/docs?limit=20', { as: 'gil' })).status).toBe(200);
  });

  test('on a stream, an event above the limit is replaced by its error, and the next one follows', async () => {
    const { token } = await app.signIn('ada');
    const order = { items: [{ product_id: 1, qty: 1 }] };
    const { body: made } = await app.post<{ id: number }>('/v1/users/1/orders', { as: 'ada', body: order });
    const client = await new SocketClient(app.port).open({ accessToken: token });
    const uses = Array.from({ length: ALIASES }, (_, index) => `b${index}: body`).join(' ');
    // Its owner wrote the long documents.
    const selection = `user { documents(last: ${PAGE}) { ${uses} } }`;
    const after = await endOfLog(app, 'ada');
    client.send(
      subscribe('a', `subscription { orderChanged(id: ${made.id}, after: "${after}") { ${selection} } }`),
    );
    for (const qty of [2, 3]) {
      const changed = { items: [{ product_id: 1, qty }] };
      expect((await app.patch(`/v1/orders/${made.id}`, { as: 'ada', body: changed })).status).toBe(200);
    }
    const events = () => client.messages.filter(({ id, type }) => id === 'a' && type === 'next');
    await waitUntil(() => events().length === 2, 'two events');
    for (const { payload } of events()) {
      expect(payload).toMatchObject({
        data: null,
        errors: [{ extensions: { code: 'response_too_large' } }],
        extensions: { cursor: expect.any(String) },
      });
    }
    client.socket.close();
  });
});
