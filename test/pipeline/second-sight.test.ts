/** A document that was seen before is executed compiled, with the same responses as the first time. */
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { randomOperations } from '../support/inputs/random-operations.ts';

/** The number of operations for each header, by engine. */
const OPERATIONS = { sqlite: Number(process.env['OPERATIONS'] ?? 60), postgres: 30 };

/** Headers that differ between requests. */
const OF_ONE_REQUEST = ['date', 'x-request-id', 'ratelimit'];

describeEachEngine('the first and the second response to a document', (engine) => {
  const app = startApp(engine);

  async function ask(body: object, accept: string) {
    const { status, text, headers } = await app.post('/graphql', { as: 'vic', headers: { accept }, body });
    const shown = [...headers].filter(([name]) => !OF_ONE_REQUEST.includes(name));
    // The remaining points differ, and so may the number of their digits. Of several errors that make one
    // value null, the first to occur is reported: the differential test covers those.
    const said = text
      .replace(/"currentlyAvailable":\d+/, '')
      .replace(/^\{"errors":\[.*\],"data"/, '{"errors":[],"data"');
    return { status, said, headers: shown.filter(([name]) => name !== 'content-length') };
  }

  test.each(['application/json', 'application/graphql-response+json', '*/*'])(
    'are equal in bytes and headers, for %s',
    async (accept) => {
      const next = randomOperations(accept.length);
      for (let made = 0; made < OPERATIONS[engine.name]; made += 1) {
        const body = next();
        const first = await ask(body, accept);
        expect(await ask(body, accept), body.query).toEqual(first);
      }
    },
    120_000,
  );

  test.each([
    'application/graphql-response+json; charset=utf-8, application/json; charset=utf-8',
    'application/graphql-response+json;charset=UTF-8, application/json;q=0.9',
    'application/json; charset=utf-8, application/graphql-response+json;q=0.9',
    'application/json; profile=other, application/graphql-response+json;q=0.1',
    'application/json; profile=other',
    'application/*',
    'text/html',
  ])('are equal if a client accepts %s', async (accept) => {
    const query = `# ${accept}\n{ products(first: 1) { nodes { id } } }`;
    const first = await ask({ query }, accept);
    expect(await ask({ query }, accept)).toEqual(first);
  });

  test('of a mutation stop at the first field that fails', async () => {
    const query = `mutation {
      createOrder(input: { userId: 999999, items: [{ productId: 1, qty: 1 }] }) { id }
      createDocument(org: "acme", input: { title: "After", body: "" }) { id }
    }`;
    const before = await app.fingerprint();
    for (let turn = 0; turn < 3; turn += 1) {
      const response = await app.graphql(query, {}, { as: 'ada' });
      expect(response.body.data).toBeNull();
      expect(codesOf(response)).toEqual(['not_found']);
    }
    expect(await app.fingerprint()).toEqual(before);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'are equal if a variable named %s is omitted',
    async (name) => {
      const query = `query ($${name}: Int) { products(first: $${name}) { nodes { id } } }`;
      const first = await ask({ query }, '*/*');
      expect(first.status).toBe(200);
      expect(await ask({ query }, '*/*')).toEqual(first);
    },
  );

  test.each([
    'query ($value: Int! = 2) { products(first: $value) { nodes { id } } }',
    'query ($value: ID! = "1") { user(id: $value) { id } }',
    'query ($value: Boolean! = true) { products(first: 1) { nodes { id name @skip(if: $value) } } }',
    'query ($value: [String!]! = ["order.created"]) { feed(first: 1, types: $value) { nodes { type } } }',
    'query ($value: OrderSort! = total) { orders(userId: 1, sort: $value) { nodes { id } } }',
  ])('are equal if the variable is omitted: %s', async (query) => {
    const first = await ask({ query }, '*/*');
    expect([first.status, first.said]).toEqual([200, expect.not.stringContaining('"errors"')]);
    expect(await ask({ query }, '*/*')).toEqual(first);
    expect((await ask({ query, variables: { value: null } }, '*/*')).status).toBe(400);
  });

  test.each([
    'mutation ($value: String) { updateDocument(id: 1, org: "acme", input: { title: $value }) { version } }',
    'mutation ($value: String = null) { updateDocument(id: 1, org: "acme", input: { title: $value }) { version } }',
    'mutation ($value: Int = 1) { createOrder(input: { userId: 3, items: [{ productId: 1, qty: $value }] }) { status } }',
    'mutation ($value: Int = 1) { updateOrder(id: 1, input: {}, ifVersion: [$value]) { status } }',
    'query ($value: ID = "1") { user(id: $value) { id } }',
    'query ($value: Boolean = true) { user(id: 1) { id @skip(if: $value) } }',
    'query ($value: Boolean = true) { user(id: 1) @skip(if: $value) { id } }',
    'query ($value: Boolean = false) { ... @include(if: $value) { user(id: 1) { id } } }',
  ])('are equal if the variable is omitted or null: %s', async (operation) => {
    for (const variables of [{}, { value: null }]) {
      const query = `${operation} # ${JSON.stringify(variables)}`;
      const first = await app.graphql(query, variables, { as: 'ada' });
      expect(codesOf(first)).not.toContain('internal_error');
      const second = await app.graphql(query, variables, { as: 'ada' });
      expect([second.body.data, second.body.errors]).toEqual([first.body.data, first.body.errors]);
    }
  });
});
