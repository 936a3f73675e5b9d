/** Places and changes orders of acme. */
import { beforeEach } from 'vitest';
import type { TestApp } from './app.ts';
import type { Answer, Person } from './client.ts';
import type { Order } from './shapes.ts';

export interface Line {
  readonly product_id: number;
  readonly qty: number;
}

/** Two desk lamps of 19.99 USD. */
export const TWO_LAMPS: readonly Line[] = [{ product_id: 1, qty: 2 }];

/** Places an order for a user of acme, by default as an admin. */
export async function placeOrder(
  app: TestApp,
  items: readonly Line[] = TWO_LAMPS,
  { userId = 1, as = 'ada' }: { userId?: number; as?: Person } = {},
): Promise<Order> {
  const { status, body, text } = await app.post<Order>(`/v1/users/${userId}/orders`, { as, body: { items } });
  if (status !== 201) throw new Error(`The order was not placed: ${status} ${text}`);
  return body;
}

/** The mutation that places an order. */
export const CREATE_ORDER = `mutation ($input: CreateOrderInput!) {
  createOrder(input: $input) { id status total currency items { productId name qty unitPrice thumbnailUrl } }
}`;

/** Converts the items of an order to the names in GraphQL. */
export function inCamelCase(items: unknown): unknown {
  return JSON.parse(JSON.stringify(items).replaceAll('"product_id"', '"productId"'));
}

/** The order of the current test, and ada's requests that change it. */
export interface OrderOfTest {
  /** The order as it was placed. */
  readonly placed: Order;
  readonly path: string;
  patch(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer<Order>>;
  put(items: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer<Order>>;
}

/** Places a new order before each test of a suite. */
export function orderForEachTest(app: TestApp): OrderOfTest {
  let placed: Order | undefined;
  beforeEach(async () => {
    placed = await placeOrder(app);
  });
  const order = () => {
    if (!placed) throw new Error('The order only exists in tests.');
    return placed;
  };
  const path = () => `/v1/orders/${order().id}`;
  return {
    get placed() {
      return order();
    },
    get path() {
      return path();
    },
    patch: (body, headers = {}) => app.patch(path(), { as: 'ada', body, headers }),
    put: (items, headers = {}) => app.put(path(), { as: 'ada', body: { items }, headers }),
  };
}

/** Returns the event types of an order, in the order of the log. */
export async function eventTypesOf(app: TestApp, id: number): Promise<string[]> {
  return (await app.events())
    .filter((event) => event.subjectId === id && event.subjectType === 'order')
    .map((event) => event.type);
}
