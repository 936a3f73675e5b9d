/**
 * Access of an app token with a single scope, for every root field and route. It can use exactly those that
 * require its scope, except those that apps may never use.
 */
import { beforeAll, expect, test } from 'vitest';
import { type Requirement, SCOPES, type Scope } from '../../src/auth/policy.ts';
import { accessOf } from '../../src/graphql/directives/auth.ts';
import type { GraphCall, RouteCall } from '../access/shared/calls.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { GRAPH_CALLS, ROUTE_CALLS } from '../access/shared/rules.ts';
import { rootFields, routeName, routes, schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { codesOf, type ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';

/** Apps cannot create credentials, whatever their scopes: the credentials would outlive the grant. */
const FOR_PEOPLE = [
  'Mutation.createApiKey',
  'Mutation.createClientCertificate',
  'Mutation.createMember',
  'Mutation.createInvitation',
  'Mutation.createApp',
  'Mutation.updateApp',
  'Mutation.createAppSecret',
  'Mutation.createInstallation',
  'Mutation.revokeGrant',
  'Mutation.markFeedRead',
];

const fieldOf = (name: string) => {
  const [type = '', field = ''] = name.split('.');
  return (type === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[field];
};

const requirementOf = (name: string): Requirement => {
  const field = fieldOf(name);
  const access = field && accessOf(field);
  return typeof access === 'object' ? access : {};
};

/** The scope that a root field requires; undefined if none is required. */
const scopeOf = (name: string) => requirementOf(name).scope;

/** The scope that is accepted instead, with which an app still lacks something else. */
const alternativeOf = (name: string) => requirementOf(name).or;

/** The root fields of a route, as `Query.order`. */
function rootsOf({ document }: (typeof routes)[number]): string[] {
  const { definition } = document;
  const type = definition.operation === 'query' ? 'Query' : 'Mutation';
  return definition.selectionSet.selections.flatMap((selection) =>
    selection.kind === 'Field' ? [`${type}.${selection.name.value}`] : [],
  );
}

/** Root fields that check a second scope themselves. */
const WITH_ANOTHER = ['Query.share', 'Query.session'];

// Scopes are checked before any row is read.
describeEachEngine(
  'a token of an app with one scope',
  (engine) => {
    const app = startApp(engine, { realTime: true });
    const fixtures = createFixtures(app, engine);
    const tokens = new Map<Scope, string>();

    beforeAll(async () => {
      const body = { name: 'Everything', type: 'service', scopes: SCOPES };
      const made = await app.post<{ client_id: string; client_secret: string }>('/v1/apps', {
        as: 'ada',
        body,
      });
      const { client_id, client_secret } = made.body;
      for (const scope of SCOPES) {
        const form = { grant_type: 'client_credentials', client_id, client_secret, scope };
        const response = await fetch(`${app.url}/oauth/token`, {
          method: 'POST',
          body: new URLSearchParams(form),
        });
        const { access_token: token, scope: given } = Object(await response.json());
        expect(given).toBe(scope);
        tokens.set(scope, token);
      }
    });

    const headersFor = (scope: Scope) => ({ authorization: `Bearer ${tokens.get(scope)}` });
    const names = rootFields.filter(({ operation }) => operation !== 'subscription').map(({ name }) => name);

    test.each(names.filter((name) => scopeOf(name) !== undefined))('%s', async (name) => {
      const make = GRAPH_CALLS[name];
      if (!make) throw new Error(`There is no request for ${name} in test/access/.`);
      const refused: GraphCall = await make(fixtures);
      for (const scope of SCOPES) {
        const isIts = scope === scopeOf(name);
        const { document, variables } = isIts ? await make(fixtures) : refused;
        const response = await app.graphql(document, variables, { headers: headersFor(scope) });
        const codes = codesOf(response);
        if (scope === alternativeOf(name)) expect(codes).toEqual(['forbidden']);
        else if (!isIts) expect(codes, scope).toContain('insufficient_scope');
        else if (FOR_PEOPLE.includes(name) || WITH_ANOTHER.includes(name))
          expect(codes).toEqual(['forbidden']);
        else
          expect(
            codes.filter((code) => code !== 'insufficient_scope'),
            response.text,
          ).toEqual([]);
      }
    });

    test.each(
      routes.flatMap((route) => {
        const origin = routes.find(({ document }) => document === route.document) ?? route;
        const [{ scope, or } = {}] = rootsOf(route).map(requirementOf);
        return scope === undefined ? [] : [[routeName(route), routeName(origin), [scope, or]] as const];
      }),
    )('%s', async (name, origin, wanted) => {
      const make = ROUTE_CALLS[origin];
      if (!make) throw new Error(`There is no request for ${name} in test/access/.`);
      const [method = '', template = ''] = name.split(' ');
      const { params = {}, body, headers: own }: RouteCall = await make(fixtures);
      const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => String(params[parameter]));
      for (const scope of SCOPES.filter((each) => !wanted.includes(each))) {
        const headers = { ...headersFor(scope), ...own };
        const response = await app.request<ErrorBody>(method, path, {
          headers,
          ...(body !== undefined && { body }),
        });
        expect([response.status, response.body.error.code], scope).toEqual([403, 'insufficient_scope']);
      }
    });
  },
  'sqlite',
);
