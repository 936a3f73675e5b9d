/** GraphQL over HTTP: every audit of the package `graphql-http`, by its id. */
import { serverAudits } from 'graphql-http';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';

// The audits concern HTTP alone.
describeOnSqlite('GraphQL over HTTP', (engine) => {
  const app = startApp(engine);
  const audits = serverAudits({ url: () => `${app.url}/graphql` });

  test('has 61 audits', () => {
    expect(audits).toHaveLength(61);
  });

  // A known document takes another path through the server.
  describe.each(['first', 'second'])('for a document at %s sight', () => {
    for (const { id, name, fn } of audits) {
      test(`${id} ${name}`, async () => {
        const result = await fn();
        expect(result.status, 'reason' in result ? result.reason : '').toBe('ok');
      });
    }
  });
});
