import { randomUUID } from 'node:crypto';
import type { TestApp } from './app.ts';
import type { Answer, RequestOptions, Sender } from './client.ts';
import type { Charge } from './shapes.ts';

/** 19.99 USD from a source that pays. */
export const CHARGE = { amount: { value: 19.99, currency: 'USD' }, source: 'tok_visa' };

export interface ChargeOptions extends Omit<RequestOptions, 'as'> {
  readonly as?: Sender;
  /** A new one when left out. */
  readonly key?: string;
}

/** Posts a charge by an admin of acme. */
export function postCharge<Body = Charge>(
  app: TestApp,
  { key = randomUUID(), as = 'ada', headers, ...options }: ChargeOptions = {},
): Promise<Answer<Body>> {
  const body = options.text === undefined ? { body: CHARGE } : {};
  return app.post<Body>('/v2/charges', {
    as,
    ...body,
    ...options,
    headers: { 'idempotency-key': key, ...headers },
  });
}

/** A charge that succeeded. */
export async function makeCharge(app: TestApp, options?: ChargeOptions): Promise<Charge> {
  const { status, body, text } = await postCharge(app, options);
  if (status !== 201) throw new Error(`The charge was not made: ${status} ${text}`);
  return body;
}
