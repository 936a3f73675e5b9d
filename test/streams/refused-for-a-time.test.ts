/** A browser's EventSource reconnects after every temporary refusal, although it gives up after any status but 200. */
import { EventSource } from 'eventsource';
import { describe, expect, test } from 'vitest';
import { ApiError, CATALOGUE, type ErrorCode } from '../../src/core/errors.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { waitUntil } from '../support/process.ts';
import { eventsIn } from '../support/raw-clients.ts';
import { membersOf, scriptedLoad } from '../support/test-doubles.ts';

const QUERY = encodeURIComponent('subscription { activity { id } }');
const PATHS = ['/feed', `/graphql?query=${QUERY}`];

/** Codes of refusals by the whole server, thrown while the caller is identified. */
const TEMPORARY = Object.entries(CATALOGUE).flatMap(([code, { status }]) =>
  // The keys of the catalogue are its codes.
  status === 503 || status === 429 ? [code as ErrorCode] : [],
);

describeEachEngine('a stream that is refused for a time', (engine) => {
  const load = scriptedLoad();
  let failure: ApiError | undefined;
  const app = startApp(engine, {
    scheduling: load.scheduling,
    around: (database) => ({
      ...membersOf(database),
      run: (statement, params, signal, flow) =>
        failure && statement.name.startsWith('events.')
          ? Promise.reject(failure)
          : database.run(statement, params, signal, flow),
    }),
  });

  describe.each(PATHS)('at %s', (path) => {
    const ask = (accept: string) => app.get(path, { as: 'ada', headers: { accept } });

    test.each(TEMPORARY)('%s: ends at once with the delay', async (code) => {
      await app.signIn('ada');
      failure = new ApiError(code, { retryAfter: 3 });
      const refused = await ask('text/event-stream').finally(() => {
        failure = undefined;
      });
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      const retry = Number(/^retry: (\d+)$/m.exec(refused.text)?.[1]);
      expect(retry).toBeGreaterThanOrEqual(3000);
      expect(retry).toBeLessThanOrEqual(6000);
      if (path !== '/feed') return expect(refused.text).toContain(`: ${code}\n`);
      expect(eventsIn(refused.text)).toMatchObject([{ event: 'end' }]);
      expect(JSON.parse(eventsIn(refused.text)[0]?.data ?? '{}')).toMatchObject({ code });
    });

    test('a client that also accepts JSON gets the status', async () => {
      await app.signIn('ada');
      load.overload();
      const refused = await ask('text/event-stream, application/json;q=0.9').finally(() => load.calm());
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toMatch(/^\d$/);
    });

    test('a permanent refusal keeps its status', async () => {
      const { status } = await app.get(path, { headers: { accept: 'text/event-stream' } });
      expect(status).toBe(401);
    });

    test('EventSource reconnects', async () => {
      const { token } = await app.signIn('ada');
      load.overload();
      const source = new EventSource(
        `${app.url}${path}${path.includes('?') ? '&' : '?'}access_token=${token}`,
      );
      let attempts = 0;
      source.onerror = () => {
        attempts += 1;
        if (attempts === 1) load.calm();
      };
      await waitUntil(() => attempts > 0, 'the refusal');
      await waitUntil(() => source.readyState === source.OPEN, 'the stream');
      expect(attempts).toBe(1);
      source.close();
    });
  });
});
