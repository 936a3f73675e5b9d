/** In production the schema is hidden, and pages that would show it explain that. */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';

const NOTICE = /<(p|em)[^>]* data-schema-hidden>/;
const pages = ['/', '/graphql'];

describeEachEngine(
  'in production',
  (engine) => {
    const app = startApp(engine, { production: true });

    test('the schema is hidden', async () => {
      const response = await app.graphql('{ __schema { queryType { name } } }', {}, { as: 'ada' });
      expect(codesOf(response)).toContain('graphql_validation_failed');
    });

    test.each(pages)('%s explains it', async (path) => {
      const { text } = await app.get(path, { headers: { accept: 'text/html' } });
      expect(text).toMatch(NOTICE);
    });
  },
  'sqlite',
);

describeEachEngine(
  'elsewhere',
  (engine) => {
    const app = startApp(engine);

    describe('the notice is not shown', () => {
      test.each(pages)('on %s', async (path) => {
        const { text } = await app.get(path, { headers: { accept: 'text/html' } });
        expect(text).toContain('data-schema-hidden hidden');
        expect(text).not.toMatch(NOTICE);
      });
    });
  },
  'sqlite',
);
