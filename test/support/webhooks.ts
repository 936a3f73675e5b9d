/** Webhooks for tests that need one, without being about them. */
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { insertDeliveries } from '../../src/db/queries/webhook-deliveries.ts';
import type { TestApp } from './app.ts';
import type { Sender } from './client.ts';
import type { TestEngine } from './engines.ts';
import { waitUntil } from './process.ts';
import type { Received } from './receiver.ts';

/** Milliseconds in which every attempt is due that is to come. */
export const LONGEST_PAUSE = 24 * 3_600_000 * 1.1;

export interface CreatedWebhook {
  readonly id: number;
  readonly url: string;
  readonly types: readonly string[];
  readonly secret: string;
}

/** @throws an Error when it was not made. */
export async function addWebhook(
  app: TestApp,
  { url = 'https://hooks.example.com/', types = ['*'], as = 'ada' as Sender } = {},
): Promise<CreatedWebhook> {
  const answer = await app.post<CreatedWebhook>('/v1/webhooks', { as, body: { url, types } });
  if (answer.status !== 201) throw new Error(`No webhook was made: ${answer.status} ${answer.text}`);
  return answer.body;
}

let events = 0;

/** A delivery of some event that no one attempts, to a webhook of acme. Gives its id. */
export async function addDelivery({ database }: TestEngine, webhookId: number): Promise<number> {
  events += 1;
  const delivery = { eventId: events, eventType: 'order.created', messageId: `msg_${events}` };
  const [id] = await database.transaction((tx) =>
    insertDeliveries(tx, { id: webhookId, org: 'acme' }, [delivery], new Date()),
  );
  if (id === undefined) throw new Error('An inserted delivery gave no id.');
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

/** The newest deliveries of a webhook. */
export async function deliveriesOf(app: TestApp, webhookId: number): Promise<readonly DeliveryShape[]> {
  const path = `/v1/webhooks/${webhookId}/deliveries?limit=100`;
  return (await app.get<{ data: DeliveryShape[] }>(path, { as: 'ada' })).body.data;
}

/** What the receiver's own library says to a message, at the time at which the server sent it. */
export function verified(secret: string, { headers, body }: Received, now: Date): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    return new Webhook(secret).verify(body, { ...headers });
  } finally {
    vi.useRealTimers();
  }
}

/** The newest delivery, when it is as it should be. */
export async function settled(app: TestApp, webhookId: number, status: string): Promise<DeliveryShape> {
  let newest: DeliveryShape | undefined;
  await waitUntil(async () => {
    [newest] = await deliveriesOf(app, webhookId);
    return newest?.status === status;
  }, `a delivery that is ${status}`);
  if (!newest) throw new Error('There is no delivery.');
  return newest;
}

/** Moves the clock past the next attempt, whichever it is, when the one before has been written. */
export async function passPause(app: TestApp, webhookId: number, attempts: number): Promise<void> {
  await waitUntil(async () => {
    const [newest] = await deliveriesOf(app, webhookId);
    return newest?.attempts.filter((one) => one.finished_at !== null).length === attempts;
  }, `the end of attempt ${attempts}`);
  app.clock.advance(LONGEST_PAUSE);
  app.signOutAll();
}
