/** A replay returns the stored response, although what the request created was deleted since. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

interface Deletable {
  readonly type: string;
  readonly create: string;
  readonly remove: (id: string) => string;
}

const DELETABLE: readonly Deletable[] = [
  {
    type: 'document',
    create: `createDocument(org: "acme", input: { title: "Gone", body: "Text", classification: confidential }, idempotencyKey: $key) {
      id title body classification author { name } shares { userId } version
    }`,
    remove: (id) => `deleteDocument(org: "acme", id: "${id}")`,
  },
  {
    type: 'order',
    create: `createOrder(input: { userId: 1, items: [{ productId: 1, qty: 2 }] }, idempotencyKey: $key) {
      id status total currency user { name } items { id name qty unitPrice product { name unitPrice } } charges { id } version
    }`,
    remove: (id) => `deleteOrder(id: "${id}")`,
  },
];

describeEachEngine('a replay', (engine) => {
  const app = startApp(engine);

  test.each(DELETABLE)('of the creation of a deleted $type', async ({ create, remove }) => {
    const key = randomUUID();
    const send = () =>
      app.graphql<{ made: { id: string } }>(
        `mutation ($key: String) { made: ${create} }`,
        { key },
        { as: 'ada' },
      );
    const { body } = await send();
    expect(body.errors).toBeUndefined();
    const removed = await app.graphql(
      `mutation { removed: ${remove(body.data?.made.id ?? '')} }`,
      {},
      { as: 'ada' },
    );
    expect(removed.body.errors).toBeUndefined();
    const replayed = await send();
    expect(replayed.body.errors).toBeUndefined();
    expect(replayed.body.data).toEqual(body.data);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  });
});
