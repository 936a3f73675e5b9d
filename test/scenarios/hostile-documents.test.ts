/** Documents that are made to cost more than they look like. Each is refused at once, before anything runs. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import type { GraphQLBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { HOSTILE_DOCUMENTS } from '../support/hostile-documents.ts';

/**
 * Milliseconds for the whole request, client and server: what the thread of both takes, so that other work on the machine
 * does not count. Compiling and collecting garbage may hold one up, and not each of several.
 */
const SOON = 20;
const ATTEMPTS = 5;

describeEachEngine('hostile documents', (engine) => {
  const app = startApp(engine);

  async function send(body: object): Promise<{ status: number; answer: GraphQLBody<unknown>; took: number }> {
    const before = process.threadCpuUsage();
    const { status, body: answer } = await app.post<GraphQLBody<unknown>>('/graphql', { as: 'ada', body });
    const { user, system } = process.threadCpuUsage(before);
    return { status, answer, took: (user + system) / 1000 };
  }

  describe('over HTTP', () => {
    for (const { name, code, ...body } of HOSTILE_DOCUMENTS) {
      test(`${name}: 400 ${code}`, async () => {
        const times: number[] = [];
        for (let attempt = 0; attempt < ATTEMPTS && !times.some((took) => took < SOON); attempt += 1) {
          const { status, answer, took } = await send(body);
          times.push(took);
          expect(answer.errors?.[0]?.extensions.code).toBe(code);
          expect(status).toBe(400);
          expect(answer).not.toHaveProperty('data');
          expect(app.statements).toEqual([]);
        }
        expect(Math.min(...times)).toBeLessThan(SOON);
      });
    }

    test('a document of 1 MB is not read at all', async () => {
      const query = `{ user(id: "${'x'.repeat(1_000_000)}") { id } }`;
      expect((await send({ query })).status).toBe(413);
    });

    test('mistakes are named with their places, at most 20', async () => {
      const { answer } = await send({ query: '{ me {\n nam\n emial } }' });
      expect(answer.errors).toHaveLength(2);
      expect(answer.errors?.[0]).toMatchObject({ locations: [{ line: 2, column: 2 }] });
      const many = await send({
        query: `{ me { ${Array.from({ length: 99 }, (_, n) => `x${n}`).join(' ')} } }`,
      });
      // The last one says that there are more.
      expect(many.answer.errors).toHaveLength(21);
    });
  });

  test('elements of a list that fail one at once and one later leave nothing unhandled', async () => {
    // The caller's own count is read from the database, and that of others is null at once.
    const query = '{ members(org: "acme") { nodes { unreadNotifications orders(first: 0) { id } } } }';
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const { answer } = await send({ query });
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off('unhandledRejection', note);
    expect(answer.errors?.[0]?.extensions.code).toBe('validation_failed');
    expect(unhandled).toEqual([]);
  });

  test('variables with many mistakes and a long value make no long answer', async () => {
    const query =
      'mutation ($input: CreateChargeInput!) { createCharge(input: $input, idempotencyKey: "k") { id } }';
    const mistakes = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${index}`, index]));
    const input = { source: 'x'.repeat(100_000), ...mistakes };
    const answer = await app.post('/graphql', { as: 'ada', body: { query, variables: { input } } });
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(50_000);
  });

  describe('what is within the bounds', () => {
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
      const { status, answer } = await send({ query });
      expect(answer.errors).toBeUndefined();
      expect(status).toBe(200);
    });
  });
});
