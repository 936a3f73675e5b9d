/**
 * Filters of lists, derived from the schema and from OpenAPI: each has an effect, on every page in both directions; two filters of one
 * list both have an effect, or the request is refused, and so is a value that no row can have.
 */
import { isDeepStrictEqual } from 'node:util';
import { GraphQLString, getNamedType, isNonNullType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { acceptDelivery, giveUpDelivery } from '../../src/db/queries/webhook-deliveries.ts';
import { acceptanceOf } from '../../src/graphql/directives/values.ts';
import { vocabulary } from '../../src/rest/openapi/inputs.ts';
import { rootFields, schema } from '../support/api.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { ErrorBody, Person } from '../support/client.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { CHARGE, postCharge } from '../support/fixtures/charges.ts';
import { addGrant, addPerson } from '../support/fixtures/rows.ts';
import { addDelivery, addWebhook } from '../support/fixtures/webhooks.ts';
import { operations } from '../support/openapi.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments that select a part of a list, or its order. */
const OF_PAGES = new Set(['first', 'after', 'last', 'before', 'page', 'limit', 'sort']);

/** Values of required arguments. */
const REQUIRED: Arguments = { org: 'acme', userId: '1', webhookId: '1' };

/** The maximum number of pages to read backwards. */
const PAGES = 4;

/** What `fill` has written before and after these times. */
interface Times {
  readonly early: string;
  readonly late: string;
}

/** By list and filter: a value that selects other rows than none does, with the other arguments that it requires. */
const VALUES: Readonly<Record<string, Readonly<Record<string, (times: Times) => Arguments>>>> = {
  feed: { types: () => ({ types: ['document.created'] }) },
  grants: { all: () => ({ all: true }) },
  orders: { status: () => ({ status: 'shipped' }) },
  invitations: { status: () => ({ status: 'revoked' }) },
  members: { role: () => ({ role: 'viewer' }) },
  webhookDeliveries: { status: () => ({ status: 'failed' }) },
  sessions: { userId: () => ({ userId: '2' }), all: () => ({ all: true }) },
  documents: {
    classification: () => ({ classification: 'public' }),
    q: () => ({ q: 'filtered' }),
  },
  charges: { orderId: () => ({ orderId: '1' }), status: () => ({ status: 'failed' }) },
  products: { archived: () => ({ archived: true }), q: () => ({ q: 'filtered' }) },
  auditLog: {
    actorId: () => ({ actorId: '2' }),
    types: () => ({ types: ['order.created'] }),
    createdAfter: ({ early }) => ({ createdAfter: early }),
    createdBefore: ({ late }) => ({ createdBefore: late }),
  },
  organisationOrders: {
    status: () => ({ status: ['pending'] }),
    userId: () => ({ userId: '2' }),
    productId: () => ({ productId: '11' }),
    currency: () => ({ currency: 'USD' }),
    createdAfter: ({ early }) => ({ createdAfter: early }),
    createdBefore: ({ late }) => ({ createdBefore: late }),
    minTotal: () => ({ currency: 'USD', minTotal: 50 }),
    maxTotal: () => ({ currency: 'USD', maxTotal: 500 }),
  },
};

const OF_SIZE = ['first', 'last', 'limit'];

const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

interface ListPage {
  readonly nodes: readonly { readonly id: string }[];
  /** Only of lists by cursor. */
  readonly pageInfo?: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

interface FilteredList {
  readonly name: string;
  readonly filters: readonly string[];
  /** A query for a page with these arguments, by default the longest one. */
  document(given: Arguments): string;
}

const lists = rootFields.flatMap(({ operation, field: { name, type, args } }): FilteredList[] => {
  const page = getNamedType(type);
  if (operation !== 'query' || !isObjectType(page) || !page.getFields()['nodes']) return [];
  const optional = args.filter((one) => !isNonNullType(one.type)).map((one) => one.name);
  const filters = optional.filter((one) => !OF_PAGES.has(one));
  if (filters.length === 0) return [];
  const size = optional.find((one) => one === 'first' || one === 'limit');
  const document = (given: Arguments) => {
    const used = args.filter((one) => isNonNullType(one.type) || Object.hasOwn(given, one.name));
    const variables = used.map((one) => `$${one.name}: ${one.type}`);
    const header = variables.length > 0 ? `query (${variables.join(', ')})` : 'query';
    const passedOn = used.map((one) => `${one.name}: $${one.name}`);
    const longest = OF_SIZE.some((one) => Object.hasOwn(given, one)) ? [] : [`${size}: 100`];
    const selection = optional.includes('last') ? `nodes { id } ${PAGE_INFO}` : 'nodes { id }';
    return `${header} { list: ${name}(${[...passedOn, ...longest].join(', ')}) { ${selection} } }`;
  };
  return [{ name, filters, document }];
});

/** Writes rows in each state of lists with one filter. */
async function fillStates(app: TestApp, engine: TestEngine): Promise<void> {
  const { database } = engine;
  const now = app.clock();
  const webhook = await addWebhook(app);
  const deliveries: number[] = [];
  for (let number = 0; number < 6; number += 1) deliveries.push(await addDelivery(engine, webhook.id));
  const [delivered = 0, ...others] = deliveries;
  await database.transaction((tx) => acceptDelivery(tx, { org: 'acme', id: delivered }, now));
  for (const id of others.slice(0, 3)) {
    await database.transaction((tx) => giveUpDelivery(tx, { org: 'acme', id }, now));
  }
  await addPerson(engine, { email: 'second-viewer@acme.test', role: 'viewer' });
  for (let number = 0; number < 4; number += 1) {
    const body = { email: `invited-${number}@acme.test`, role: 'viewer' };
    const { body: invitation } = await app.post<{ id: number }>('/v1/orgs/acme/invitations', {
      as: 'ada',
      body,
    });
    if (number % 2 === 0) await app.delete(`/v1/orgs/acme/invitations/${invitation.id}`, { as: 'ada' });
  }
  const { body: made } = await app.post<{ id: number }>('/v1/apps', {
    as: 'ada',
    body: {
      name: 'App',
      type: 'web',
      redirect_uris: ['https://app.example/callback'],
      scopes: ['read:orders'],
    },
  });
  const grant = await addGrant(engine, made.id);
  await engine.place.query(`update grants set user_id = 2 where id = ${grant}`);
  await addGrant(engine, made.id);
}

/** Writes rows so that each filter selects some of them, and each pair of filters others. */
async function fill(app: TestApp, engine: TestEngine): Promise<Times> {
  await fillStates(app, engine);
  const created = async (path: string, body: object, as: Person = 'ada') => {
    const response = await app.post<{ id: number }>(path, { as, body });
    expect(response.status, response.text).toBe(201);
    return response.body.id;
  };
  for (const title of ['Filtered', 'Other']) {
    for (const classification of ['public', 'internal']) {
      await created('/v1/orgs/acme/docs', { title, body: '', classification });
    }
    for (const isArchived of [false, true]) {
      const id = await created('/v1/products', { name: title, unit_price: 1, currency: 'USD' });
      if (isArchived) await app.delete(`/v1/products/${id}`, { as: 'ada' });
    }
  }
  for (const body of [{ order_id: 1 }, { order_id: 1, source: 'tok_declined' }, { source: 'tok_declined' }]) {
    await postCharge(app, { body: { ...CHARGE, ...body } });
  }
  const times: string[] = [];
  let serial = 0;
  for (let period = 0; period < 3; period += 1) {
    // Between two periods, so that neither has this time.
    app.clock.advance(1000);
    times.push(app.clock().toISOString());
    app.clock.advance(1000);
    for (const [as, userId] of [
      ['ada', 1],
      ['ed', 2],
    ] as const) {
      for (const item of [
        { product_id: 11, qty: 1 },
        { product_id: 1, qty: 1 },
        { product_id: 1, qty: 5 },
        { product_id: 1, qty: 30 },
      ]) {
        const id = await created(`/v1/users/${userId}/orders`, { items: [item] }, as);
        serial += 1;
        if (serial % 3 === 0) await app.patch(`/v1/orders/${id}`, { as, body: { status: 'shipped' } });
      }
    }
  }
  const [, early = '', late = ''] = times;
  return { early, late };
}

describeEachEngine('filters of one list', (engine) => {
  const app = startApp(engine);
  let times: Times;
  beforeAll(async () => {
    times = await fill(app, engine);
  });

  /** A page of a list; undefined if the combination of filters is refused. */
  async function pageOf(list: FilteredList, given: Arguments): Promise<ListPage | undefined> {
    const { body, text } = await app.graphql<{ list: ListPage }>(
      list.document(given),
      { ...REQUIRED, ...given },
      { as: 'ada' },
    );
    if (body.data) return body.data.list;
    expect(body.errors?.[0]?.extensions?.code, text).toBe('validation_failed');
    return undefined;
  }

  const idsIn = (page: ListPage | undefined) => page?.nodes.map(({ id }) => id);
  const idsOf = async (list: FilteredList, given: Arguments) => idsIn(await pageOf(list, given));

  function filterValue(list: FilteredList, filter: string): Arguments {
    const value = VALUES[list.name]?.[filter]?.(times);
    if (!value) throw new Error(`Declare a value of ${list.name}.${filter} in this file.`);
    return value;
  }

  /** The ids of a list in pages of one row, from its end. */
  async function idsBackwards(list: FilteredList, given: Arguments): Promise<readonly string[]> {
    const ids: string[] = [];
    let before: string | null | undefined;
    do {
      const page = await pageOf(list, { ...given, last: 1, ...(before != null && { before }) });
      ids.unshift(...(idsIn(page) ?? []));
      before = page?.pageInfo?.hasPreviousPage ? page.pageInfo.startCursor : undefined;
    } while (before != null && ids.length < PAGES);
    return ids;
  }

  describe.each(lists)('$name', (list) => {
    const pairs = list.filters.flatMap((first, index) =>
      list.filters.slice(index + 1).map((second) => [first, second] as const),
    );

    test.each(list.filters)('%s selects other rows, in each direction', async (filter) => {
      const value = filterValue(list, filter);
      const page = await pageOf(list, value);
      const ids = idsIn(page) ?? [];
      expect(ids.length).toBeGreaterThan(0);
      expect(ids).not.toEqual(await idsOf(list, {}));
      if (!page?.pageInfo) return;
      const last = page.pageInfo.hasNextPage
        ? await idsOf(list, { ...value, last: PAGES })
        : ids.slice(-PAGES);
      expect(await idsBackwards(list, value)).toEqual(last);
    });

    if (pairs.length === 0) return;
    test.each(pairs)('neither %s nor %s is ignored beside the other', async (first, second) => {
      const [one, other] = [filterValue(list, first), filterValue(list, second)];
      const both = { ...one, ...other };
      // One of them requires the other.
      if (isDeepStrictEqual(both, one) || isDeepStrictEqual(both, other)) return;
      const [ofOne, ofOther] = [await idsOf(list, one), await idsOf(list, other)];
      expect(ofOne?.length, first).toBeGreaterThan(0);
      expect(ofOther?.length, second).toBeGreaterThan(0);
      const ofBoth = await idsOf(list, both);
      if (!ofBoth) return;
      expect(ofBoth, `with ${second}`).not.toEqual(ofOne);
      expect(ofBoth, `with ${first}`).not.toEqual(ofOther);
    });
  });
});

/** Texts without a set of accepted values: cursors, words to search for, and names that are looked up. */
const FREE_TEXTS = new Set(['after', 'before', 'q', 'org', 'token']);

const textFilters = rootFields
  .filter(({ operation }) => operation !== 'mutation')
  .flatMap(({ name, operation, field }) =>
    field.args
      .filter((one) => getNamedType(one.type) === GraphQLString && !FREE_TEXTS.has(one.name))
      .map((one) => ({
        title: `${name}(${one.name})`,
        argument: one.name,
        accepted: acceptanceOf(schema, one)?.values,
        documentWith: (value: string) =>
          `${operation} { ${field.name}(${one.name}: ${JSON.stringify(value)}) { __typename } }`,
      })),
  );

test('every text filter declares the values that it accepts', () => {
  expect(textFilters.length).toBeGreaterThan(0);
  expect(textFilters.filter(({ accepted }) => accepted === undefined)).toEqual([]);
});

/** Texts that are not accepted, although they are similar to one that is. */
const misspelt = ([first]: readonly unknown[]): readonly string[] => {
  const value = String(first);
  const other = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
  return ['none', `${value}x`, other, ''];
};

describeEachEngine('a value that no row can have is refused', (engine) => {
  const app = startApp(engine);

  /** Filters by an object, by name: `user_id`, but not the cursor of an event. */
  const byId = operations.flatMap(({ name, path, operation }) =>
    (operation.parameters ?? [])
      .filter(({ name: parameter, in: place }) => place === 'query' && parameter.endsWith('_id'))
      .map(({ name: parameter }) => ({ title: `${parameter} of ${name}`, path, parameter })),
  );

  test.each(byId)('as unknown $title, which the error names', async ({ path, parameter }) => {
    const query = new URLSearchParams({ [parameter]: '999999' });
    const { status, body } = await app.get<ErrorBody>(`${path}?${query}`, { as: 'ada' });
    const said = 'is not (a person|an order|a product) of your organisation';
    expect([status, body.error]).toEqual([
      404,
      {
        code: 'not_found',
        message: expect.stringMatching(`^${parameter} ${said}[.]$`),
        details: [{ path: parameter, message: expect.stringMatching(`^${said}$`) }],
      },
    ]);
  });

  const inQueries = textFilters.filter(({ title }) => title.startsWith('Query.'));
  test.each(inQueries)('as $title', async ({ argument, accepted = '', documentWith }) => {
    for (const value of misspelt(vocabulary(accepted))) {
      const { body, text } = await app.graphql(documentWith(value), {}, { as: 'ada' });
      const { code, details } = body.errors?.[0]?.extensions ?? {};
      expect(code, text).toBe('validation_failed');
      expect(JSON.stringify(details)).toContain(`"path":"${argument}`);
    }
  });
});
