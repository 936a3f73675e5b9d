/** The history of a document: newest first, page by page. */
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { pathOf, shareDocument, writeDocument } from '../support/fixtures/documents.ts';

interface History {
  readonly nodes: readonly { readonly id: string; readonly type: string; readonly cursor: string }[];
  readonly endCursor: string | null;
  readonly nextCursor: string | null;
  readonly hasNextPage: boolean;
}

describeEachEngine('the history of a document', (engine) => {
  const app = startApp(engine);
  const page = (id: number, size: string) =>
    app
      .graphql<{ document: { history: History } }>(
        `query ($id: ID!) { document(org: "acme", id: $id) {
          history(${size}) { nodes { id type cursor } endCursor nextCursor hasNextPage } } }`,
        { id },
        { as: 'ada' },
      )
      .then(({ body, text }) => {
        if (!body.data) throw new Error(text);
        return body.data.document.history;
      });

  test('is paged from the newest, and new events do not shift it', async () => {
    const document = await writeDocument(app);
    for (const title of ['A', 'B', 'C']) await app.patch(pathOf(document), { as: 'ada', body: { title } });
    await shareDocument(app, document.id, 3, 'reader');
    const whole = await page(document.id, 'first: 100');
    expect(whole.nodes.map(({ type }) => type)).toEqual([
      'document.shared',
      'document.updated',
      'document.updated',
      'document.updated',
      'document.created',
    ]);
    expect(whole).toMatchObject({ hasNextPage: false, nextCursor: null });

    const first = await page(document.id, 'first: 2');
    expect(first).toMatchObject({ hasNextPage: true, nextCursor: first.endCursor });
    await app.patch(pathOf(document), { as: 'ada', body: { title: 'D' } });
    const second = await page(document.id, `first: 2, after: "${first.endCursor}"`);
    const third = await page(document.id, `after: "${second.nodes[1]?.cursor}"`);
    const ids = [first, second, third].flatMap(({ nodes }) => nodes.map((node) => node.id));
    expect(ids).toEqual(whole.nodes.map((node) => node.id));
    expect(await page(document.id, `after: "${third.endCursor}"`)).toEqual({
      nodes: [],
      endCursor: null,
      nextCursor: null,
      hasNextPage: false,
    });
  });

  test('has the cursors of the log, and continues from each of them', async () => {
    const { nodes } = await page(1, 'first: 1');
    const { body } = await app.graphql<{ feed: { nodes: { id: string; cursor: string }[] } }>(
      '{ feed(first: 100) { nodes { id cursor } } }',
      {},
      { as: 'ada' },
    );
    const newest = body.data?.feed.nodes[0];
    expect(body.data?.feed.nodes).toContainEqual({ id: nodes[0]?.id, cursor: nodes[0]?.cursor });
    expect((await page(1, `first: 1, after: "${newest?.cursor}"`)).nodes).toEqual(nodes);
  });

  test('refuses a cursor of another document', async () => {
    const { endCursor } = await page(1, 'first: 1');
    const query = `{ document(org: "acme", id: 2) { history(after: "${endCursor}") { nodes { id } } } }`;
    expect(codesOf(await app.graphql(query, {}, { as: 'ada' }))).toEqual(['invalid_cursor']);
  });

  test('does not include events of an order with the same id', async () => {
    const { nodes } = await page(2, 'first: 100');
    expect(nodes.map(({ type }) => type)).toEqual(['document.created']);
  });
});
