/** A document that was seen before is answered compiled, and its responses are the ones that it had at first. */
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { randomOperations } from '../support/random-operations.ts';

const OPERATIONS = 150;

/** What belongs to one request alone. */
const OF_ONE_REQUEST = ['date', 'x-request-id', 'ratelimit'];

describeEachEngine('the first and the second response to a document', (engine) => {
  const app = startApp(engine);

  async function ask(body: object, accept: string) {
    const { status, text, headers } = await app.post('/graphql', { as: 'vic', headers: { accept }, body });
    const shown = [...headers].filter(([name]) => !OF_ONE_REQUEST.includes(name));
    // The points that are left differ, and so does the length of their number.
    const said = text.replace(/"currentlyAvailable":\d+/, '');
    return { status, said, headers: shown.filter(([name]) => name !== 'content-length') };
  }

  test.each(['application/json', 'application/graphql-response+json', '*/*'])(
    'are equal in bytes and headers, for %s',
    async (accept) => {
      const next = randomOperations(accept.length);
      for (let made = 0; made < OPERATIONS; made += 1) {
        const body = next();
        const first = await ask(body, accept);
        expect(await ask(body, accept), body.query).toEqual(first);
      }
    },
    120_000,
  );
});
