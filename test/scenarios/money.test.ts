/** Amounts of money stay exact, from the prices in the database to the digits in the response. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { placeOrder } from '../support/fixtures/orders.ts';
import { addProduct } from '../support/fixtures/rows.ts';
import { randomIntegers } from '../support/inputs/random-integers.ts';
import type { OffsetPage, Order } from '../support/response-bodies.ts';

const DIGITS = { JPY: 0, USD: 2, BHD: 3 };
type Currency = keyof typeof DIGITS;

const ORDERS = 1000;
/** Orders per mutation, and mutations in flight: together they take a few seconds. */
const PER_REQUEST = 10;
const AT_ONCE = 5;

/** Prices whose multiples have no exact binary fraction, and the maximum price. */
const PRICES = [1, 3, 5, 7, 10, 29, 99, 101, 115, 995, 1005, 1999, 33_333, 100_000, 999_999, 999_999_999];

interface Priced {
  readonly id: number;
  readonly unitPrice: number;
  readonly currency: Currency;
}

describeEachEngine('amounts', (engine) => {
  const app = startApp(engine);

  describe('have the decimals of their currency', () => {
    for (const { product, qty, text } of [
      { product: 11, qty: 1, text: '480' },
      { product: 11, qty: 10_000, text: '4800000' },
      { product: 12, qty: 1, text: '12.375' },
      { product: 12, qty: 8, text: '99' },
      { product: 12, qty: 3, text: '37.125' },
      { product: 10, qty: 1, text: '0.05' },
      { product: 10, qty: 3, text: '0.15' },
      { product: 1, qty: 3, text: '59.97' },
      { product: 1, qty: 10_000, text: '199900' },
      { product: 9, qty: 3, text: '20.85' },
    ]) {
      test(`${qty} of product ${product}: ${text}`, async () => {
        const { id } = await placeOrder(app, [{ product_id: product, qty }]);
        const rest = await app.get(`/v1/orders/${id}`, { as: 'ada' });
        expect(rest.text).toContain(`"total":${text},"currency"`);
        const graph = await app.graphql(
          'query ($id: ID!) { order(id: $id) { total currency } }',
          { id },
          { as: 'ada' },
        );
        expect(graph.text).toContain(`"total":${text},"currency"`);
      });
    }
  });

  test('have at most 15 digits, all of them exact', async () => {
    const dearest = await addProduct(engine, {
      name: 'Observatory',
      unitPrice: 999_999_999,
      currency: 'BHD',
    });
    const items = Array.from({ length: 100 }, () => ({ product_id: dearest, qty: 10_000 }));
    const { id } = await placeOrder(app, items);
    // 999,999,999 × 10,000 × 100 fils.
    expect((await app.get(`/v1/orders/${id}`, { as: 'ada' })).text).toContain(
      '"total":999999999000,"currency":"BHD"',
    );
    const odd = await placeOrder(app, [...items.slice(1), { product_id: dearest, qty: 9_999 }]);
    expect((await app.get(`/v1/orders/${odd.id}`, { as: 'ada' })).text).toContain(
      '"total":999998999000.001,',
    );
  });

  describe(`${ORDERS} random orders`, () => {
    const products: Priced[] = [];
    const expected = new Map<number, string>();
    const inGraph = new Map<number, string>();
    let owner: number;

    beforeAll(async () => {
      // A user without other orders, so that the list has only these.
      const [row] = await engine.place.query(`
        insert into users (org, email, name, role, created_at, updated_at)
        select org, 'buyer@acme.test', 'Buyer', 'viewer', created_at, created_at from users where id = 1 returning id`);
      owner = Number(row?.['id']);
      for (const currency of ['JPY', 'USD', 'BHD'] as const) {
        for (const unitPrice of PRICES) {
          const id = await addProduct(engine, { name: `${currency} ${unitPrice}`, unitPrice, currency });
          products.push({ id, unitPrice, currency });
        }
      }
      const random = randomIntegers(20_260_901);
      const requests = Array.from({ length: ORDERS / PER_REQUEST }, () =>
        Array.from({ length: PER_REQUEST }, () => randomLines(products, random)),
      );
      const next = requests.values();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const orders of next) await place(orders);
        }),
      );
    });

    async function place(orders: readonly Line[][]): Promise<void> {
      const fields = orders.map((lines, index) => {
        const items = lines.map(({ product, qty }) => `{ productId: ${product.id}, qty: ${qty} }`);
        return `o${index}: createOrder(input: { userId: ${owner}, items: [${items}] }) { id total }`;
      });
      const response = await app.graphql<Record<string, { id: string }>>(
        `mutation { ${fields.join(' ')} }`,
        {},
        { as: 'ed' },
      );
      expect(response.body.errors).toBeUndefined();
      const totals = [...response.text.matchAll(/"id":"(\d+)","total":([^}]+)}/g)];
      expect(totals).toHaveLength(orders.length);
      for (const [index, [, id = '', total = '']] of totals.entries()) {
        inGraph.set(Number(id), total);
        expected.set(Number(id), exactTotal(orders[index] ?? []));
      }
    }

    test('have exact totals in GraphQL', () => {
      expect(expected.size).toBe(ORDERS);
      expect(inGraph).toEqual(expected);
    });

    test('have exact totals in REST', async () => {
      const inRest = new Map<number, string>();
      for (let page = 1; page <= ORDERS / 100; page += 1) {
        const path = `/v1/users/${owner}/orders?limit=100&page=${page}`;
        const { text } = await app.get<OffsetPage<Order>>(path, { as: 'vic' });
        for (const [, id, total = ''] of text.matchAll(
          /"id":(\d+),"user_id":\d+,"status":"pending","total":([^,]+),/g,
        )) {
          inRest.set(Number(id), total);
        }
      }
      expect(inRest).toEqual(expected);
    });

    test('have exact totals in the event log', async () => {
      const totals = (await app.events())
        .filter((event) => expected.has(event.subjectId))
        .map(
          ({ subjectId, data }) => [subjectId, JSON.stringify((data as { total: number }).total)] as const,
        );
      expect(new Map(totals)).toEqual(expected);
    });
  });
});

interface Line {
  readonly product: Priced;
  readonly qty: number;
}

/** One to six items in one currency. */
function randomLines(products: readonly Priced[], random: (least: number, most: number) => number): Line[] {
  const currency = (['JPY', 'USD', 'BHD'] as const)[random(0, 2)];
  const choice = products.filter((product) => product.currency === currency);
  return Array.from({ length: random(1, 6) }, () => {
    const product = choice[random(0, choice.length - 1)];
    if (!product) throw new RangeError('No product at this index.');
    return { product, qty: random(1, random(0, 3) === 0 ? 10_000 : 20) };
  });
}

/** The total as the shortest JSON decimal, calculated with integers only. */
function exactTotal(lines: readonly Line[]): string {
  const minor = lines.reduce((sum, { product, qty }) => sum + BigInt(product.unitPrice) * BigInt(qty), 0n);
  const digits = DIGITS[lines[0]?.product.currency ?? 'JPY'];
  if (digits === 0) return String(minor);
  const text = String(minor).padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  const whole = text.slice(0, -digits);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
