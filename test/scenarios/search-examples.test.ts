/** The searches in the examples of openapi.json, which people try first. */
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { exampleOf } from '../support/inputs/openapi-requests.ts';
import { operations } from '../support/openapi.ts';
import type { CursorPage } from '../support/response-bodies.ts';

const SEARCHES = operations.filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'q'));

describeEachEngine('the example of a search', (engine) => {
  const app = startApp(engine);

  test.each(SEARCHES)('finds something in the demo data: $name', async (described) => {
    const { pathname, searchParams } = new URL(exampleOf(described).path, 'http://localhost');
    const search = new URLSearchParams({ q: searchParams.get('q') ?? '' });
    const { body } = await app.get<CursorPage<unknown>>(`${pathname}?${search}`, { as: 'ada' });
    expect(body.data).not.toEqual([]);
  });
});
