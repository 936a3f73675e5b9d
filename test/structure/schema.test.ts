import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  buildSchema as buildSchemaOf,
  GraphQLID,
  type GraphQLInputField,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  Kind,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Requirement } from '../../src/auth/policy.ts';
import { accessOf, enforceAuth } from '../../src/graphql/directives/auth.ts';
import { constraintOf } from '../../src/graphql/directives/constraint.ts';
import { errorsOf } from '../../src/graphql/directives/errors.ts';
import { generatesKey, requiresKey } from '../../src/graphql/directives/idempotent.ts';
import { acceptanceOf, directiveValues } from '../../src/graphql/directives/values.ts';
import type { Field } from '../../src/graphql/field.ts';
import type { Route } from '../../src/rest/compile/route.ts';
import { rootFields, routes, schema } from '../support/api.ts';
import { contractOf, undescribed } from './contract.ts';

/** How to accept a difference from a snapshot, for its message. */
const RECORD = 'run `npx vitest run test/structure --update` and review the difference';

const folder = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

describe('the schema', () => {
  test('has a description for every type, field and argument', () => {
    expect(undescribed(schema)).toEqual([]);
  });

  test('has a resolver folder for each of its files', () => {
    const resources = readdirSync(folder('schema'))
      .map((name) => name.replace('.graphql', ''))
      .filter((name) => name !== 'base')
      .sort();
    const folders = readdirSync(folder('resolvers')).filter((name) => name !== 'shared');
    expect(folders.sort()).toEqual(resources);
  });

  test('identifies every object in a list: Graphcache and Relay store one without an id by its position', () => {
    const unidentified = Object.values(schema.getTypeMap()).flatMap((type) => {
      if (!isObjectType(type) || type.name.startsWith('__')) return [];
      return Object.values(type.getFields()).flatMap((field) => {
        const of = getNamedType(field.type);
        const isEdge = field.name === 'edges';
        const isIdentified = !isObjectType(of) || 'id' in of.getFields();
        return !isListType(getNullableType(field.type)) || isEdge || isIdentified
          ? []
          : `${type.name}.${field.name}`;
      });
    });
    expect(unidentified).toEqual([]);
  });

  test('declares the required access for every root field', () => {
    for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
      for (const field of Object.values(type?.getFields() ?? {})) {
        expect(accessOf(field), `${type?.name}.${field.name}`).toBeDefined();
      }
    }
  });

  test('declares the scope of a row for each field of another row that leads to it', () => {
    const scopeOf = (field: Field) => {
      const access = accessOf(field);
      return typeof access === 'object' ? access.scope : undefined;
    };
    const scopes = new Map(
      rootFields
        .filter(({ operation, field }) => operation === 'query' && isObjectType(field.type))
        .map(({ field }) => [field.type, scopeOf(field)]),
    );
    const leading = [...scopes].flatMap(([type, own]) =>
      (isObjectType(type) ? Object.values(type.getFields()) : []).flatMap((field) => {
        const needed = scopes.get(getNamedType(field.type));
        if (needed === undefined || needed === own) return [];
        return [{ name: `${type}.${field.name}`, scope: scopeOf(field), needed }];
      }),
    );
    expect(leading.map(({ name }) => name)).toEqual(expect.arrayContaining(['Order.user', 'Order.charges']));
    for (const { name, scope, needed } of leading) expect(scope, `@auth of ${name}`).toBe(needed);
  });

  test('has a key for every change that moves money: a required one, or a generated one that the response has', () => {
    const moving = rootFields.filter(({ field }) =>
      directiveValues<{ codes: string[] }>(schema, 'errors', field)?.codes.some((code) =>
        code.startsWith('payment_gateway_'),
      ),
    );
    expect(moving.length).toBeGreaterThan(1);
    for (const { name, field } of moving) {
      expect(requiresKey(field) || generatesKey(field), name).toBe(true);
      for (const route of routes.filter(({ root }) => root.field === field)) {
        const required = requiresKey(field) && route.variables.every(({ generated }) => !generated);
        expect(required || route.generatesKey, route.path).toBe(true);
      }
    }
  });

  test('lists not_found for every change and stream of a row, whose result cannot be null instead', () => {
    const named = rootFields.filter(
      ({ operation, field }) =>
        operation !== 'query' && field.args.some(({ type }) => getNamedType(type) === GraphQLID),
    );
    expect(named.length).toBeGreaterThan(1);
    for (const { name, field } of named) expect(errorsOf(schema, field), name).toContain('not_found');
  });

  test('has the same bounds for a member that can be created and changed', () => {
    const boundsOf = (input: GraphQLInputField) => {
      const { notNull: _, ...bounds } = constraintOf(schema, input) ?? {};
      return { type: getNamedType(input.type).name, bounds, accepts: acceptanceOf(schema, input) };
    };
    const membersOf = (name: string) => {
      const type = schema.getType(name);
      return isInputObjectType(type) ? type.getFields() : {};
    };
    const kinds = Object.keys(schema.getTypeMap()).flatMap(
      (name) => /^Update(\w+)Input$/.exec(name)?.[1] ?? [],
    );
    let compared = 0;
    for (const kind of kinds) {
      const created = membersOf(`Create${kind}Input`);
      for (const [name, changed] of Object.entries(membersOf(`Update${kind}Input`))) {
        if (!created[name]) continue;
        expect(boundsOf(changed), `${kind}.${name}`).toEqual(boundsOf(created[name]));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(10);
  });

  test('matches the published snapshot', async () => {
    await expect(contractOf(schema)).toMatchFileSnapshot('./schema.snapshot.graphql', RECORD);
  });
});

const BASE = `
  enum Role { admin editor viewer boss }
  directive @auth(scope: String, role: Role) on FIELD_DEFINITION
  directive @public on FIELD_DEFINITION
`;

describe('the server does not start with a schema that leaves access undefined', () => {
  test.each([
    ['type Query { me: Int }', 'Query.me needs @auth or @public: say who may call it'],
    [
      'type Query { me: Int @public } type Mutation { drop: Int }',
      'Mutation.drop needs @auth or @public: say who may call it',
    ],
    [
      'type Query { me: Int @public } type Subscription { follow: Int }',
      'Subscription.follow needs @auth or @public: say who may call it',
    ],
    ['schema { query: Root } type Root { me: Int }', 'Root.me needs @auth or @public: say who may call it'],
    ['type Query { me: Int @auth @public }', 'Query.me has both @auth and @public: choose one'],
    [
      'type Query { me: Int @auth(scope: "read:everything") }',
      'Query.me requires an unknown scope: read:everything',
    ],
    ['type Query { me: Int @auth(scope: "") }', 'Query.me requires an unknown scope: '],
    ['type Query { me: Int @auth(role: boss) }', 'Query.me requires an unknown role: boss'],
    [
      'type Query { me: Me @public } type Me { name: Int @auth(scope: "read:names") }',
      'Me.name requires an unknown scope: read:names',
    ],
  ])('%s', (sdl, message) => {
    expect(() => enforceAuth(buildSchemaOf(BASE + sdl))).toThrow(new Error(message));
  });

  test.each([
    ['type Query { me: Int @public }', 'public'],
    ['type Query { me: Int @auth }', {}],
    [
      'type Query { me: Int @auth(scope: "read:users", role: admin) }',
      { scope: 'read:users', role: 'admin' },
    ],
  ])('a schema that defines access is accepted: %s', (sdl, access) => {
    const sound = buildSchemaOf(BASE + sdl);
    enforceAuth(sound);
    const field = sound.getQueryType()?.getFields()['me'];
    expect(field && accessOf(field)).toEqual(access);
  });
});

describe('the routes', () => {
  test('have operations with unique names', () => {
    // A /v1 route that is also served under /v2 is the same operation there.
    const operations = new Set(routes.map(({ document }) => document));
    const names = [...operations].map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('match the published snapshot, with the rights they require', async () => {
    const lines = routes.flatMap(linesOf).sort();
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./routes.snapshot.txt', RECORD);
  });

  test('that create a resource with an ETag return it, so that the next change needs no read', () => {
    const shape = (path: string) => path.replaceAll(/\{[^}]+\}/g, '{}');
    const hasTag = (path: string) =>
      routes.some((route) => route.method === 'GET' && shape(route.path) === shape(path) && route.view.etag);
    const withoutVersion = (path: string) => path.replace(/^\/v\d+/, '');
    // A part of a resource has the Location of the whole: the secret of an app.
    const creating = routes.filter(
      ({ method, location, path }) =>
        method === 'POST' && location && !withoutVersion(path).startsWith(`${withoutVersion(location)}/`),
    );
    const tagged = creating.filter(({ location = '' }) => hasTag(location));
    expect(tagged.length).toBeGreaterThan(5);
    expect(tagged.filter(({ view }) => view.etag === undefined).map(({ path }) => path)).toEqual([]);
  });
});

/**
 * Method, path, status and required rights ("a caller" is any authenticated caller); a former path has its
 * own line.
 */
function linesOf({ method, path, movedFrom, status, document }: Route): string[] {
  const { operation: kind, selectionSet } = document.definition;
  const [root] = selectionSet.selections;
  const name = root?.kind === Kind.FIELD ? root.name.value : '';
  const field = schema.getRootType(kind)?.getFields()[name];
  const access = field && accessOf(field);
  return [
    `${method} ${path} ${status} ${access && access !== 'public' ? needs(access) : access}`,
    ...movedFrom.map((former) => `${method} ${former} 301 to ${path}`),
  ];
}

const needs = ({ scope, or, role }: Requirement) =>
  [[scope ?? 'a caller', or].filter((each) => each !== undefined).join(' or '), role]
    .filter((each) => each !== undefined)
    .join(', ');
