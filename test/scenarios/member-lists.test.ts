/** The list of an organisation's members: its contents, pages and refusals. */
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expectations.ts';
import type { CursorPage, User } from '../support/response-bodies.ts';

describeEachEngine('the list of members', (engine) => {
  const app = startApp(engine);
  const list = (query = '') => app.get<CursorPage<User>>(`/v1/orgs/acme/users${query}`, { as: 'vic' });

  test('has all members, each as its own route returns it', async () => {
    const response = await list();
    expect(response.status).toBe(200);
    const each = await Promise.all([1, 2, 3].map((id) => app.get<User>(`/v1/users/${id}`, { as: 'vic' })));
    expect(response.body).toEqual({ data: each.map(({ body }) => body), next_cursor: null });
  });

  test('is paged', async () => {
    const first = await list('?limit=2');
    expect(first.body.data.map(({ id }) => id)).toEqual([1, 2]);
    const second = await list(`?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body.data.map(({ id }) => id)).toEqual([3]);
    expect(second.body.next_cursor).toBeNull();
  });

  test('is the same in GraphQL', async () => {
    const document = `query ($after: String) {
      members(org: "acme", first: 2, after: $after) { nodes { id email } hasNextPage endCursor nextCursor }
    }`;
    const first = await app.graphql<{ members: { endCursor: string } }>(document, {}, { as: 'vic' });
    const after = first.body.data?.members.endCursor;
    expect(first.body.data?.members).toEqual({
      nodes: [
        { id: '1', email: 'ada@acme.test' },
        { id: '2', email: 'ed@acme.test' },
      ],
      hasNextPage: true,
      endCursor: expect.any(String),
      nextCursor: after,
    });
    const { body } = await app.graphql(document, { after }, { as: 'vic' });
    expect(body.data?.['members']).toMatchObject({
      nodes: [{ id: '3' }],
      hasNextPage: false,
      nextCursor: null,
    });
  });

  for (const org of ['globex', 'nowhere', 'ACME']) {
    test(`of ${org} returns 403 for members of acme`, async () => {
      expectError(await app.get(`/v1/orgs/${org}/users`, { as: 'ada' }), { status: 403, code: 'forbidden' });
      const { body } = await app.graphql(`{ members(org: "${org}") { nodes { id } } }`, {}, { as: 'ada' });
      expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: 'forbidden' } }] });
    });
  }
});
