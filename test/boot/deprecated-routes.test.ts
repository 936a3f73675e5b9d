/** Deprecations in operation documents, and invalid ones that stop the start. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { buildSchema } from '../../src/graphql/schema.ts';
import { createPricing } from '../../src/pipeline/price/pricing.ts';
import { DocumentError, readDocuments } from '../../src/rest/compile/documents.ts';
import { createRoutes } from '../../src/rest/routes.ts';
import { type Documents, restFolder } from '../support/app.ts';
import { DEFAULTS } from '../support/settings.ts';

const schema = buildSchema();
const pricing = createPricing(schema, DEFAULTS.operations);

const routesOf = (documents: Documents) =>
  createRoutes(schema, readDocuments(schema, restFolder(documents, 'nothing', onTestFinished)), pricing);

const OLD = (announcement: string) => `
query GetOld($id: ID!)
@rest(method: GET, path: "/v1/old/{id}")
@deprecatedRoute(${announcement}) {
  order(id: $id) { id }
}`;

const NEW =
  'query GetNew($id: ID!) @rest(method: GET, path: "/v2/new/{id}") { order(id: $id) { id status } }';

describe('a deprecated route', () => {
  test('has its dates and its successor, which has none', () => {
    const documents = {
      'v1/old.graphql': OLD('since: "2026-11-01", successor: "/v2/new/{id}"'),
      'v2/new.graphql': NEW,
    };
    expect(routesOf(documents).map(({ path, deprecation }) => [path, deprecation])).toEqual([
      [
        '/v1/old/{id}',
        expect.objectContaining({
          since: new Date('2026-11-01T00:00:00Z'),
          sunset: new Date('2027-11-01T00:00:00Z'),
          successor: '/v2/new/{id}',
        }),
      ],
      ['/v2/new/{id}', undefined],
    ]);
  });

  test('is also served under /v2 if that is its successor, without deprecation there', () => {
    const routes = routesOf({ 'v1/old.graphql': OLD('since: "2026-11-01", successor: "/v2/old/{id}"') });
    expect(routes.map(({ path, deprecation }) => [path, deprecation?.successor])).toEqual([
      ['/v1/old/{id}', '/v2/old/{id}'],
      ['/v2/old/{id}', undefined],
    ]);
  });
});

describe('the start fails and reports the place and the reason for', () => {
  test.each([
    {
      title: 'a day that does not exist',
      document: OLD('since: "2026-11-31", successor: "/v2/new/{id}"'),
      message: 'rest/v1/old.graphql:4: "2026-11-31" is not a day such as 2026-11-01.',
    },
    {
      title: 'an end before the announcement',
      document: OLD('since: "2026-11-01", sunset: "2026-10-01", successor: "/v2/new/{id}"'),
      message:
        'rest/v1/old.graphql:4: The sunset 2026-10-01 is before 2026-11-01, when the deprecation begins.',
    },
    {
      title: 'a successor that is not a route',
      document: OLD('since: "2026-11-01", successor: "/v2/newer/{id}"'),
      message:
        'rest/v1/old.graphql:4: The successor GET /v2/newer/{id} is not a route, or is deprecated itself.',
    },
    {
      title: 'a successor with another method',
      document: `
mutation DropOld($id: ID!)
@rest(method: DELETE, path: "/v1/old/{id}", status: 204)
@deprecatedRoute(since: "2026-11-01", successor: "/v2/new/{id}") {
  deleteOrder(id: $id)
}`,
      message:
        'rest/v1/old.graphql:4: The successor DELETE /v2/new/{id} is not a route, or is deprecated itself.',
    },
    {
      title: 'itself as the successor',
      document: OLD('since: "2026-11-01", successor: "/v1/old/{id}"'),
      message:
        'rest/v1/old.graphql:4: The successor GET /v1/old/{id} is not a route, or is deprecated itself.',
    },
    {
      title: 'a successor with a variable that the path does not have',
      document: OLD('since: "2026-11-01", successor: "/v2/new/{key}"'),
      message: 'rest/v1/old.graphql:4: The successor has {key}, but the path of this route does not.',
    },
    {
      title: 'no successor',
      document: OLD('since: "2026-11-01"'),
      message:
        'rest/v1/old.graphql:4: Directive "@deprecatedRoute" argument "successor" of type "String!" is required, but it was not provided.',
    },
    {
      title: 'a date in a variable',
      document: OLD('since: $day, successor: "/v2/new/{id}"').replace('$id: ID!', '$id: ID!, $day: String!'),
      message:
        'rest/v1/old.graphql:4: A deprecation is the same for every request: @deprecatedRoute takes no variables.',
    },
  ])('$title', ({ document, message }) => {
    const boot = () => routesOf({ 'v1/old.graphql': document, 'v2/new.graphql': NEW });
    expect(boot).toThrow(DocumentError);
    expect(boot).toThrow(new RegExp(`^${RegExp.escape(message)}$`));
  });
});
