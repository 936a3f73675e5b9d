/**
 * Filters of lists, derived from the schema and from OpenAPI: two filters of one list both have an effect, or the request is refused,
 * and so is a value that no row can have.
 */
import { isDeepStrictEqual } from 'node:util';
import { GraphQLString, getNamedType, isNonNullType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { acceptanceOf } from '../../src/graphql/directives/values.ts';
import { vocabulary } from '../../src/rest/openapi/inputs.ts';
import { rootFields, schema } from '../support/api.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { ErrorBody, Person } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { CHARGE, postCharge } from '../support/fixtures/charges.ts';
import { operations } from '../support/openapi.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments that select a part of a list, or its order. */
const OF_PAGES = new Set(['first', 'after', 'last', 'before', 'page', 'limit', 'sort']);

/** Values of required arguments. */
const REQUIRED: Arguments = { org: 'acme', userId: '1' };

/** What `fill` has written before and after these times. */
interface Times {
  readonly early: string;
  readonly late: string;
}

/** By list and filter: a value that selects some rows, with the other arguments that it requires. */
const VALUES: Readonly<Record<string, Readonly<Record<string, (times: Times) => Arguments>>>> = {
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

interface FilteredList {
  readonly name: string;
  readonly filters: readonly string[];
  /** A query for the longest page with these filters. */
  document(given: Arguments): string;
}

const lists = rootFields.flatMap(({ operation, field: { name, type, args } }): FilteredList[] => {
  const page = getNamedType(type);
  if (operation !== 'query' || !isObjectType(page) || !page.getFields()['nodes']) return [];
  const optional = args.filter((one) => !isNonNullType(one.type)).map((one) => one.name);
  const filters = optional.filter((one) => !OF_PAGES.has(one));
  if (filters.length < 2) return [];
  const size = optional.find((one) => one === 'first' || one === 'limit');
  const document = (given: Arguments) => {
    const used = args.filter((one) => isNonNullType(one.type) || Object.hasOwn(given, one.name));
    const variables = used.map((one) => `$${one.name}: ${one.type}`).join(', ');
    const passedOn = used.map((one) => `${one.name}: $${one.name}`);
    return `query (${variables}) { list: ${name}(${[...passedOn, `${size}: 100`].join(', ')}) { nodes { id } } }`;
  };
  return [{ name, filters, document }];
});

/** Writes rows so that each filter selects some of them, and each pair of filters others. */
async function fill(app: TestApp): Promise<Times> {
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
    times = await fill(app);
  });

  /** The ids of the rows; undefined if the combination of filters is refused. */
  async function idsOf(list: FilteredList, given: Arguments): Promise<readonly string[] | undefined> {
    const { body, text } = await app.graphql<{ list: { nodes: readonly { id: string }[] } }>(
      list.document(given),
      { ...REQUIRED, ...given },
      { as: 'ada' },
    );
    if (body.data) return body.data.list.nodes.map(({ id }) => id);
    expect(body.errors?.[0]?.extensions?.code, text).toBe('validation_failed');
    return undefined;
  }

  describe.each(lists)('$name', (list) => {
    const pairs = list.filters.flatMap((first, index) =>
      list.filters.slice(index + 1).map((second) => [first, second] as const),
    );

    test.each(pairs)('neither %s nor %s is ignored beside the other', async (first, second) => {
      const [one, other] = [first, second].map((name) => VALUES[list.name]?.[name]?.(times));
      if (!one || !other)
        throw new Error(`Declare a value of ${list.name}.${one ? second : first} in this file.`);
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

const listedValues = operations.flatMap(({ name, path, operation }) =>
  (operation.parameters ?? []).flatMap(({ name: parameter, in: place, schema: { items, enum: own } }) => {
    const accepted = items?.enum ?? own;
    return place === 'query' && accepted
      ? [{ title: `${parameter} of ${name}`, path, parameter, accepted }]
      : [];
  }),
);

/** Texts that are not accepted, although they are similar to one that is. */
const misspelt = ([first]: readonly unknown[]): readonly string[] => {
  const value = String(first);
  const other = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
  return ['none', `${value}x`, other, ''];
};

describeEachEngine('a value that no row can have is refused', (engine) => {
  const app = startApp(engine);

  test.each(listedValues)('as $title', async ({ path, parameter, accepted }) => {
    for (const value of misspelt(accepted)) {
      const filled = path.replace('{org}', 'acme').replace(/\{\w+\}/g, '1');
      const query = new URLSearchParams({ [parameter]: value });
      const { status, body, text } = await app.get<ErrorBody>(`${filled}?${query}`, { as: 'ada' });
      expect([status, body.error?.code], `${query} ${text}`).toEqual([400, 'invalid_parameter']);
      expect(body.error.details?.map((detail) => detail.path.split('.')[0])).toEqual([parameter]);
    }
  });

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
