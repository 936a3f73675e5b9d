/** GraphQL over HTTP: every audit of the package `graphql-http`, under its own id. */
import { serverAudits } from 'graphql-http';
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

describeEachEngine('GraphQL over HTTP', (engine) => {
  const app = startApp(engine);
  const audits = serverAudits({ url: () => `${app.url}/graphql` });

  test('there are 61 audits', () => {
    expect(audits).toHaveLength(61);
  });

  // A document that was seen before is answered in another way.
  describe.each(['first', 'second'])('at %s sight', () => {
    for (const { id, name, fn } of audits) {
      test(`${id} ${name}`, async () => {
        const result = await fn();
        expect(result.status, 'reason' in result ? result.reason : '').toBe('ok');
      });
    }
  });
});
