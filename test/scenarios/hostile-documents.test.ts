/** Documents that cost more than they seem to. Each is refused at once, before anything runs. */
import { parse, printSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import type { GraphQLBody } from '../support/client.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { DOCUMENT_DOORS, type DocumentRequest, type DoorVisit } from '../support/graphql-doors.ts';
import { HOSTILE_DOCUMENTS, OVERSIZED } from '../support/inputs/hostile-documents.ts';
import { threadTime } from '../support/timing.ts';

/**
 * The processor time of a refusal, on the thread that runs both client and server, in readings of the whole schema. It is
 * a few on an idle machine. Compilation and garbage collection may slow one request down, but not each of several.
 */
const SOON = 10;
const ATTEMPTS = 25;

const SCHEMA = printSchema(schema);

/** The processor time of reading the schema in milliseconds, at the present speed of the machine. */
function timeOfSchema(): number {
  const turns = 10;
  const before = threadTime();
  for (let turn = 0; turn < turns; turn += 1) parse(SCHEMA);
  return (threadTime() - before) / turns;
}

/** The close code of a WebSocket for a frame that is too large (RFC 6455, section 7.4.1). */
const TOO_BIG = 1009;

// They are refused before any statement.
describeOnSqlite('hostile documents', (engine) => {
  const app = startApp(engine);

  describe.each(DOCUMENT_DOORS)('over $name', ({ refusal, open }) => {
    let visit: DoorVisit;
    beforeAll(async () => {
      visit = await open(app, 'ada');
    });
    afterAll(() => visit.close());

    /** Measured for several documents, since it takes longer than a refusal, and again after one that took too long: the machine may be slower. */
    let soon: number | undefined;

    const timed = async (request: DocumentRequest) => {
      app.forgetStatements();
      const before = threadTime();
      const reply = await visit.send(request);
      return { reply, took: threadTime() - before };
    };

    test.each(HOSTILE_DOCUMENTS)('$name: $code', async ({ name: _, code, ...request }) => {
      let isSoon = false;
      for (let attempt = 0; attempt < ATTEMPTS && !isSoon; attempt += 1) {
        soon ??= SOON * timeOfSchema();
        const { reply, took } = await timed(request);
        isSoon = took < soon;
        if (!isSoon) soon = undefined;
        expect(reply.body?.errors?.[0]?.extensions.code).toBe(code);
        expect(reply.body).not.toHaveProperty('data');
        expect(reply.status).toBe(refusal);
        expect(reply.closed).toBeUndefined();
        expect(app.statements).toEqual([]);
      }
      expect(isSoon, `one of ${ATTEMPTS} refusals`).toBe(true);
    });

    test('later requests get their responses', async () => {
      expect((await visit.send({ query: '{ me { id } }' })).body).toMatchObject({
        data: { me: { id: '1' } },
      });
    });

    test.each(OVERSIZED)(
      '$name: $code, and 1009 on a WebSocket',
      async ({ name: _, status, code, ...request }) => {
        const { reply } = await timed(request);
        if (refusal === undefined) expect(reply.closed).toBe(TOO_BIG);
        else {
          expect(reply.status).toBe(status === 413 ? status : refusal);
          expect(reply.body?.errors?.[0]?.extensions.code).toBe(code);
        }
        expect(app.statements).toEqual([]);
      },
    );
  });

  const send = (body: object) => app.post<GraphQLBody<unknown>>('/graphql', { as: 'ada', body });

  test('errors are listed with their locations, at most 20', async () => {
    const { body } = await send({ query: '{ me {\n nam\n emial } }' });
    expect(body.errors).toHaveLength(2);
    expect(body.errors?.[0]).toMatchObject({ locations: [{ line: 2, column: 2 }] });
    const many = await send({
      query: `{ me { ${Array.from({ length: 99 }, (_, n) => `x${n}`).join(' ')} } }`,
    });
    // The last error reports that there are more.
    expect(many.body.errors).toHaveLength(21);
  });

  test('list elements that fail at different times leave no unhandled rejection', async () => {
    // The caller's own count is read from the database, and that of others is null at once.
    const query = '{ members(org: "acme") { nodes { unreadNotifications orders(first: 0) { id } } } }';
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const { body } = await send({ query });
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off('unhandledRejection', note);
    expect(body.errors?.[0]?.extensions.code).toBe('validation_failed');
    expect(unhandled).toEqual([]);
  });

  test('many invalid variables with long values give a short response', async () => {
    const query =
      'mutation ($input: CreateChargeInput!) { createCharge(input: $input, idempotencyKey: "k") { id } }';
    const mistakes = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${index}`, index]));
    const input = { source: 'x'.repeat(100_000), ...mistakes };
    const response = await app.post('/graphql', { as: 'ada', body: { query, variables: { input } } });
    expect(response.status).toBe(400);
    expect(response.text.length).toBeLessThan(50_000);
  });

  describe('documents within the limits', () => {
    const lots = (count: number, make: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => make(index)).join(' ');

    test.each([
      [
        '10 levels',
        '{ user(id: 1) { orders(first: 1) { user { orders(first: 1) { user { orders(first: 1) { user { orders(first: 1) { user { id } } } } } } } } } }',
      ],
      ['30 aliases', `{ me { ${lots(30, (n) => `a${n}: id`)} } }`],
      ['20 root fields', `{ ${lots(20, () => '__typename')} }`],
      ['login once', 'mutation { login(email: "ada@acme.test", password: "portico-demo") { tokenType } }'],
      ['one fragment used often', `{ me { ${lots(20, () => '...F')} } } fragment F on User { id name }`],
    ])('%s', async (_name, query) => {
      const { status, body } = await send({ query });
      expect(body.errors).toBeUndefined();
      expect(status).toBe(200);
    });
  });
});
