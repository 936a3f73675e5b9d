/**
 * Access of an app token with a single scope, and with all other scopes, for every root field and route. It can use exactly those that
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
    /** By the scopes, as in a request for a token. */
    const tokens = new Map<string, Promise<string>>();
    let client: { readonly client_id: string; readonly client_secret: string };

    beforeAll(async () => {
      const body = { name: 'Everything', type: 'service', scopes: SCOPES };
      const made = await app.post<{ client_id: string; client_secret: string }>('/v1/apps', {
        as: 'ada',
        body,
      });
      client = made.body;
    });

    async function tokenFor(scope: string): Promise<string> {
      const body = new URLSearchParams({ grant_type: 'client_credentials', ...client, scope });
      const response = await fetch(`${app.url}/oauth/token`, { method: 'POST', body });
      const { access_token: token, scope: given } = Object(await response.json());
      expect(given.split(' ').toSorted()).toEqual(scope.split(' ').toSorted());
      return token;
    }

    async function headersFor(...scopes: Scope[]) {
      const key = scopes.join(' ');
      const token = tokens.get(key) ?? tokenFor(key);
      tokens.set(key, token);
      return { authorization: `Bearer ${await token}` };
    }

    /** Scopes only add rights, so if all others together are not enough, neither is any of them. */
    const withoutScopes = (...lacking: (Scope | undefined)[]) =>
      headersFor(...SCOPES.filter((scope) => !lacking.includes(scope)));
    const names = rootFields.filter(({ operation }) => operation !== 'subscription').map(({ name }) => name);

    test.each(names.filter((name) => scopeOf(name) !== undefined))('%s', async (name) => {
      const make = GRAPH_CALLS[name];
      if (!make) throw new Error(`There is no request for ${name} in test/access/.`);
      const ask = async ({ document, variables }: GraphCall, headers: Record<string, string>) => {
        const response = await app.graphql(document, variables, { headers });
        return { codes: codesOf(response), text: response.text };
      };
      const [scope, alternative] = [scopeOf(name), alternativeOf(name)];
      const refused = await make(fixtures);
      const others = await ask(refused, await withoutScopes(scope, alternative));
      expect(others.codes, others.text).toContain('insufficient_scope');
      if (alternative)
        expect((await ask(refused, await headersFor(alternative))).codes).toEqual(['forbidden']);
      if (!scope) return;
      const own = await ask(await make(fixtures), await headersFor(scope));
      if (FOR_PEOPLE.includes(name) || WITH_ANOTHER.includes(name)) expect(own.codes).toEqual(['forbidden']);
      else
        expect(
          own.codes.filter((code) => code !== 'insufficient_scope'),
          own.text,
        ).toEqual([]);
    });

    test.each(
      routes.flatMap((route) => {
        const origin = routes.find(({ document }) => document === route.document) ?? route;
        const [{ scope, or } = {}] = rootsOf(route).map(requirementOf);
        return scope === undefined ? [] : [[routeName(route), routeName(origin), scope, or] as const];
      }),
    )('%s', async (name, origin, scope, alternative) => {
      const make = ROUTE_CALLS[origin];
      if (!make) throw new Error(`There is no request for ${name} in test/access/.`);
      const [method = '', template = ''] = name.split(' ');
      const { params = {}, body, headers: own }: RouteCall = await make(fixtures);
      const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => String(params[parameter]));
      const headers = { ...(await withoutScopes(scope, alternative)), ...own };
      const response = await app.request<ErrorBody>(method, path, {
        headers,
        ...(body !== undefined && { body }),
      });
      expect([response.status, response.body.error.code]).toEqual([403, 'insufficient_scope']);
    });
  },
  'sqlite',
);
