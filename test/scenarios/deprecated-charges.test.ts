/**
 * The first deprecation: integer amounts, in /v1 and in the schema. The current forms send no deprecation
 * headers.
 */
import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';

const announcementOf = (headers: Headers) =>
  ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));

const PAGE = '</docs/versions>; rel="deprecation"; type="text/html"';
const DATES = ['@1793491200', 'Mon, 01 Nov 2027 00:00:00 GMT'];
const endsFor = (successor: string) => [...DATES, `<${successor}>; rel="successor-version", ${PAGE}`];
const NOTHING = [null, null, null];

const V1 = { amount: 1999, source: 'tok_visa' };
const V2 = { amount: { value: 19.99, currency: 'USD' }, source: 'tok_visa' };

describeEachEngine('the deprecation of integer amounts', (engine) => {
  const app = startApp(engine);
  let keys = 0;
  const charge = (path: string, body: object) => {
    keys += 1;
    return app.post<{ id: number; amount: unknown }>(path, {
      as: 'ada',
      body,
      headers: { 'idempotency-key': `key-${keys}` },
    });
  };

  test.each([
    { path: '/v1/charges', body: V1, status: 201, says: endsFor('/v2/charges') },
    { path: '/v1/charges', body: V2, status: 422, says: endsFor('/v2/charges') },
    { path: '/v2/charges', body: V2, status: 201, says: NOTHING },
    { path: '/v2/charges', body: V1, status: 422, says: NOTHING },
  ])('POST $path with $body.amount: $status', async ({ path, body, status, says }) => {
    const response = await charge(path, body);
    expect(response.status).toBe(status);
    expect(announcementOf(response.headers)).toEqual(says);
    if (status === 201) expect(response.body.amount).toEqual(body.amount);
  });

  test('an invalid response of the gateway returns 502 in both versions, with deprecation headers in /v1', async () => {
    const source = 'tok_bad_gateway';
    const old = await charge('/v1/charges', { ...V1, source });
    const present = await charge('/v2/charges', { ...V2, source });
    expect([old.status, present.status]).toEqual([502, 502]);
    expect(announcementOf(old.headers)).toEqual(endsFor('/v2/charges'));
    expect(announcementOf(present.headers)).toEqual(NOTHING);
  });

  test('a charge can be read in both shapes', async () => {
    const { id } = (await charge('/v1/charges', V1)).body;
    const old = await app.get<{ amount: unknown }>(`/v1/charges/${id}`, { as: 'ada' });
    const present = await app.get<{ amount: unknown }>(`/v2/charges/${id}`, { as: 'ada' });
    expect([old.body.amount, present.body.amount]).toEqual([V1.amount, V2.amount]);
    expect(announcementOf(old.headers)).toEqual(endsFor(`/v2/charges/${id}`));
    expect(announcementOf(present.headers)).toEqual(NOTHING);
  });

  describe('in GraphQL', () => {
    const CREATE = `mutation ($input: CreateChargeInput!, $key: String!) {
      createCharge(input: $input, idempotencyKey: $key) { amount { value currency } }
    }`;

    test.each([
      {
        title: 'an amount in the response',
        query: '{ charges(first: 1) { nodes { minorAmount } } }',
        names: ['Charge.minorAmount'],
      },
      {
        title: 'an amount in a variable',
        query: CREATE,
        variables: { input: { minorAmount: 500, source: 'tok_visa' }, key: 'graph-1' },
        names: ['CreateChargeInput.minorAmount'],
      },
      {
        title: 'nothing: the current amount in a variable',
        query: CREATE,
        variables: { input: V2, key: 'graph-2' },
        names: undefined,
      },
      {
        title: 'nothing: the current amount in the response',
        query: '{ charges(first: 1) { nodes { amount { value currency } } } }',
        names: undefined,
      },
    ])('$title', async ({ query, variables, names }) => {
      const before = app.log.length;
      const { status, headers, text } = await app.graphql(query, variables, { as: 'ada' });
      const { errors, extensions } = JSON.parse(text);
      expect([status, errors]).toEqual([200, undefined]);
      expect(announcementOf(headers)).toEqual(names ? [...DATES, PAGE] : NOTHING);
      const named = extensions?.deprecations?.map(({ coordinate }: { coordinate: string }) => coordinate);
      expect(named).toEqual(names);
      const noted = app.log
        .slice(before)
        .map((line) => JSON.parse(line))
        // The use of a route is logged after its response, perhaps only now.
        .filter(({ msg, deprecated }) => msg === 'deprecated use' && !deprecated[0].includes('/'))
        .map(({ deprecated, principal }) => ({ deprecated, principal }));
      const principal = { kind: 'user', id: 1, org: 'acme' };
      expect(noted).toEqual(names ? [{ deprecated: names, principal }] : []);
    });
  });
});
