/** The response limit of 8 MiB on every door, and the price of long texts, which is charged at each use. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
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

  test('is cut when clients do not read, that of the caller with the most first', async () => {
    /** Sends a request, and reads nothing after the first bytes. Returns a function that reads the rest, and returns its length. */
    const open = async (person: 'ada' | 'vic', lines: readonly string[], body = '') => {
      const { token } = await app.signIn(person);
      const socket = connect(app.port, '127.0.0.1').on('error', () => {});
      const head = [...lines, 'host: localhost', `authorization: Bearer ${token}`, 'connection: close'];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
      let length = 0;
      const begun = Promise.withResolvers<void>();
      socket.on('data', (data) => {
        length += data.length;
        if (length === data.length) socket.pause();
        begun.resolve();
      });
      await begun.promise;
      return async () => {
        const closed = once(socket, 'close');
        socket.resume();
        await closed;
        return length;
      };
    };
    const text = JSON.stringify({ query: selecting(ALIASES - 1) });
    const post = [
      'POST /graphql HTTP/1.1',
      'content-type: application/json',
      `content-length: ${text.length}`,
    ];
    const neighbour = await open('vic', ['GET /v1/orgs/acme/docs HTTP/1.1']);
    const size = (ALIASES - 1) * PAGE * BODY.length;
    // Node counts a body until the system has taken all of it, which takes less of it than that.
    const fitting = Math.floor(LIMITS.unreadResponseBytes / size);
    const readers = [];
    for (let opened = 0; opened < fitting + 3; opened += 1) readers.push(await open('ada', post, text));
    expect(await neighbour()).toBeGreaterThan(PAGE * BODY.length);
    const lengths = await Promise.all(readers.map((read) => read()));
    const whole = lengths.filter((length) => length > size);
    expect(whole).toHaveLength(fitting);
    // The newest ones.
    expect(lengths.slice(-whole.length)).toEqual(whole);
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
