import { randomUUID } from 'node:crypto';
import type { TestApp } from './app.ts';
import type { Answer, RequestOptions, Sender } from './client.ts';
import type { Charge } from './shapes.ts';

/** A charge of 19.99 USD from a source that succeeds. */
export const CHARGE = { amount: { value: 19.99, currency: 'USD' }, source: 'tok_visa' };

export interface ChargeOptions extends Omit<RequestOptions, 'as'> {
  readonly as?: Sender;
  /** The idempotency key; by default a new one. */
  readonly key?: string;
}

/** Posts a charge, by default as an admin of acme. */
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

/** Creates a charge that succeeds. @throws Error if it fails. */
export async function makeCharge(app: TestApp, options?: ChargeOptions): Promise<Charge> {
  const { status, body, text } = await postCharge(app, options);
  if (status !== 201) throw new Error(`The charge was not created: ${status} ${text}`);
  return body;
}
