/** Creates webhooks, and reads and verifies their deliveries. */
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { insertDeliveries } from '../../src/db/queries/webhook-deliveries.ts';
import type { TestApp } from './app.ts';
import type { Sender } from './client.ts';
import type { TestEngine } from './engines.ts';
import { waitUntil } from './process.ts';
import type { Received } from './receiver.ts';

/** Milliseconds after which any next attempt is due. */
export const LONGEST_PAUSE = 24 * 3_600_000 * 1.1;

export interface CreatedWebhook {
  readonly id: number;
  readonly url: string;
  readonly types: readonly string[];
  readonly secret: string;
}

/** Creates a webhook. @throws Error if that fails. */
export async function addWebhook(
  app: TestApp,
  { url = 'https://hooks.example.com/', types = ['*'], as = 'ada' as Sender } = {},
): Promise<CreatedWebhook> {
  const response = await app.post<CreatedWebhook>('/v1/webhooks', { as, body: { url, types } });
  if (response.status !== 201)
    throw new Error(`The webhook was not created: ${response.status} ${response.text}`);
  return response.body;
}

let events = 0;

/** Adds a delivery to a webhook of acme, which is never attempted. @returns its id. */
export async function addDelivery({ database }: TestEngine, webhookId: number): Promise<number> {
  events += 1;
  const delivery = { eventId: events, eventType: 'order.created', messageId: `msg_${events}` };
  const [id] = await database.transaction((tx) =>
    insertDeliveries(tx, { id: webhookId, org: 'acme' }, [delivery], new Date()),
  );
  if (id === undefined) throw new Error('The insertion of a delivery returned no id.');
  return id;
}

export interface DeliveryShape {
  readonly id: number;
  readonly message_id: string;
  readonly event_id: number;
  readonly type: string;
  readonly status: string;
  readonly attempts: readonly AttemptShape[];
  readonly finished_at: string | null;
}

export interface AttemptShape {
  readonly number: number;
  readonly trigger: string;
  readonly due_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly duration_ms: number | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

/** Returns the newest deliveries of a webhook. */
export async function deliveriesOf(app: TestApp, webhookId: number): Promise<readonly DeliveryShape[]> {
  const path = `/v1/webhooks/${webhookId}/deliveries?limit=100`;
  return (await app.get<{ data: DeliveryShape[] }>(path, { as: 'ada' })).body.data;
}

/** Verifies a message with the receiver's library, at the time at which the server sent it. */
export function verified(secret: string, { headers, body }: Received, now: Date): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return new Webhook(secret).verify(body, { ...headers });
  } finally {
    vi.useRealTimers();
  }
}

/** Waits until the newest delivery has this status, and returns it. */
export async function settled(app: TestApp, webhookId: number, status: string): Promise<DeliveryShape> {
  let newest: DeliveryShape | undefined;
  await waitUntil(async () => {
    [newest] = await deliveriesOf(app, webhookId);
    return newest?.status === status;
  }, `a delivery that is ${status}`);
  if (!newest) throw new Error('There is no delivery.');
  return newest;
}

/** Waits until this number of attempts is complete, then moves the clock past the time of the next one. */
export async function passPause(app: TestApp, webhookId: number, attempts: number): Promise<void> {
  await waitUntil(async () => {
    const [newest] = await deliveriesOf(app, webhookId);
    return newest?.attempts.filter((one) => one.finished_at !== null).length === attempts;
  }, `the end of attempt ${attempts}`);
  app.clock.advance(LONGEST_PAUSE);
  app.signOutAll();
}
