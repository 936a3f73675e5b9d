import type { TestApp } from './app.ts';
import type { Person } from './client.ts';
import type { Order } from './shapes.ts';

export interface Line {
  readonly product_id: number;
  readonly qty: number;
}

/** Two desk lamps of 19.99 USD. */
export const TWO_LAMPS: readonly Line[] = [{ product_id: 1, qty: 2 }];

/** Places an order for a person of acme, by an admin. */
export async function placeOrder(
  app: TestApp,
  items: readonly Line[] = TWO_LAMPS,
  { userId = 1, as = 'ada' }: { userId?: number; as?: Person } = {},
): Promise<Order> {
  const { status, body, text } = await app.post<Order>(`/v1/users/${userId}/orders`, { as, body: { items } });
  if (status !== 201) throw new Error(`The order was not placed: ${status} ${text}`);
  return body;
}
