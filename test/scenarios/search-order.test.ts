/** Searches for random words return each match exactly once, in the documented order, page by page from either end. */
import { beforeAll, expect, test } from 'vitest';
import { wordsOf } from '../../src/core/search.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { randomIntegers } from '../support/inputs/random-integers.ts';

const SEED = 7;
const ROWS = 60;
const PAGE = 7;

/** Words that begin with one another, so that a row matches in several ways at once. The demo data has none of them. */
const WORDS = ['zam', 'zamp', 'zamps', 'zampshade', 'zesk', 'zesktop', 'ze'];
const QUERIES = WORDS.flatMap((word) => [
  word,
  ...WORDS.filter((other) => other !== word).map((other) => `${word} ${other}`),
]);

interface Row {
  readonly title: string;
  readonly body: string;
}

const random = randomIntegers(SEED);
const phrase = (least: number) =>
  Array.from({ length: random(least, 2) }, () => WORDS[random(0, WORDS.length - 1)]).join(' ');
const ROWS_TO_FIND: readonly Row[] = Array.from({ length: ROWS }, (_, number) => ({
  title: `${phrase(1)} ${number}`,
  body: phrase(0),
}));

/** The group of a row in the results, by docs/paging.md; undefined for one that does not match. */
function groupOf({ title, body }: Row, words: readonly string[]): number | undefined {
  const titled = wordsOf(title);
  const anywhere = [...titled, ...wordsOf(body)];
  const last = words.at(-1) ?? '';
  if (words.every((word) => titled.includes(word))) return 0;
  const begins = last.length >= 3 && titled.some((word) => word.startsWith(last));
  if (begins && words.slice(0, -1).every((word) => titled.includes(word))) return 1;
  return words.every((word) => anywhere.includes(word)) ? 2 : undefined;
}

/** The titles that a search finds, in order. Rows are created in order, so the newest is the last one. */
function expected(rows: readonly Row[], q: string): string[] {
  const found = rows.toReversed().map((row) => ({ ...row, group: groupOf(row, q.split(' ')) }));
  return [0, 1, 2].flatMap((group) => found.filter((row) => row.group === group).map(({ title }) => title));
}

interface Page {
  readonly nodes: readonly { readonly title: string }[];
  readonly pageInfo: {
    readonly startCursor: string | null;
    readonly hasPreviousPage: boolean;
    readonly endCursor: string | null;
    readonly hasNextPage: boolean;
  };
}

const LISTS = [
  {
    name: 'documents',
    rows: ROWS_TO_FIND,
    path: '/v1/orgs/acme/docs',
    inputOf: ({ title, body }: Row) => ({ title, body, classification: 'internal' }),
    field: 'documents(org: "acme", q: $q, first: $first, after: $after, last: $last, before: $before)',
    title: 'title',
  },
  {
    name: 'products',
    rows: ROWS_TO_FIND.map(({ title }) => ({ title, body: '' })),
    path: '/v1/products',
    inputOf: ({ title }: Row) => ({ name: title, unit_price: 1, currency: 'USD' }),
    field: 'products(q: $q, first: $first, after: $after, last: $last, before: $before)',
    title: 'title: name',
  },
];

describeEachEngine('a search for random words', (engine) => {
  const app = startApp(engine);

  beforeAll(async () => {
    for (const { path, rows, inputOf } of LISTS) {
      for (const row of rows) {
        const { status, text } = await app.post(path, { as: 'ada', body: inputOf(row) });
        expect(status, text).toBe(201);
      }
    }
  });

  test.each(LISTS)('in $name', async ({ rows, field, title }) => {
    const document = `query ($q: String!, $first: Int, $after: String, $last: Int, $before: String) {
      list: ${field} {
        nodes { ${title} } pageInfo { startCursor hasPreviousPage endCursor hasNextPage }
      }
    }`;
    const page = async (variables: object): Promise<Page> => {
      const response = await app.graphql<{ list: Page }>(document, { ...variables }, { as: 'ada' });
      expect(codesOf(response)).toEqual([]);
      return response.body.data?.list ?? expect.unreachable();
    };
    for (const q of QUERIES) {
      const wanted = expected(rows, q);
      const forwards: string[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const { nodes, pageInfo } = await page({ q, first: PAGE, after });
        forwards.push(...nodes.map((node) => node.title));
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
      }
      expect(forwards, q).toEqual(wanted);
      const backwards: string[] = [];
      for (let before: string | null | undefined; before !== null; ) {
        const { nodes, pageInfo } = await page({ q, first: null, last: PAGE, before });
        backwards.unshift(...nodes.map((node) => node.title));
        before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null;
      }
      expect(backwards, q).toEqual(wanted);
    }
  });
});
