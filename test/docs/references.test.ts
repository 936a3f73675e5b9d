/** The references of events and errors match the catalogues exactly. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditPage, errorsPage, eventsPage, scalingPage, tablesPlaced } from '../../codegen/references.ts';
import { CATALOGUE } from '../../src/core/errors.ts';
import { AUDIT_ONLY_TYPES } from '../../src/events/audit.ts';
import { EVENT_CATALOGUE, EVENT_TYPES } from '../../src/events/catalogue.ts';
import { api } from '../support/api.ts';
import { ROOT } from '../support/process.ts';

const firstCells = (page: string) => [...page.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name);

test.each([
  ['docs/events.md', eventsPage],
  ['docs/errors.md', errorsPage],
  ['docs/audit.md', auditPage],
  ['docs/scaling.md', scalingPage],
])('%s is up to date: `npm run codegen` writes it', (path, page) => {
  const written = readFileSync(join(ROOT, path), 'utf8');
  expect(written).toBe(page(written));
});

test('every event and every error has its own line', () => {
  for (const type of EVENT_TYPES) {
    expect(eventsPage()).toContain(`\n| \`${type}\` | \`${EVENT_CATALOGUE[type].scope}\` |`);
  }
  expect(firstCells(errorsPage())).toEqual(Object.keys(CATALOGUE));
});

test('docs/scaling.md distributes each table of organisations', () => {
  const page = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
  const distributed = [...page.matchAll(/^select create_distributed_table\('(\w+)', 'org'/gm)];
  expect(distributed.map(([, name]) => name)).toEqual(tablesPlaced('tenant'));
  expect(tablesPlaced('tenant')).toEqual(
    expect.arrayContaining(['orders', 'order_items', 'search_products']),
  );
});

test('docs/audit.md lists each type of the audit log that is not an event', () => {
  const types = firstCells(readFileSync(join(ROOT, 'docs/audit.md'), 'utf8'));
  expect(types).toEqual(expect.arrayContaining([...AUDIT_ONLY_TYPES]));
  expect(types.filter((type) => EVENT_TYPES.some((each) => each === type))).toEqual([]);
});

test('every event is a message of webhooks in OpenAPI', () => {
  expect(Object.keys(api.openApi.webhooks)).toEqual(EVENT_TYPES);
});
