import { randomUUID } from 'node:crypto';
import { signMessage } from '../../src/core/signatures.ts';
import { PAYMENT_EVENTS_SECRET, type TestApp } from './app.ts';

export interface EventOptions {
  readonly id?: string;
  readonly secrets?: readonly string[];
  /** Milliseconds after the server's present that the message was signed. */
  readonly later?: number;
}

/** A message of the payment provider, as it is sent. */
export function signedEvent(
  app: TestApp,
  event: { readonly type: string; readonly data: unknown },
  { id = `msg_${randomUUID()}`, secrets = [PAYMENT_EVENTS_SECRET], later = 0 }: EventOptions = {},
) {
  const at = new Date(app.clock().getTime() + later);
  const text = JSON.stringify({ type: event.type, timestamp: at.toISOString(), data: event.data });
  const headers: Record<string, string> = { ...signMessage(secrets, id, at, text) };
  return { text, headers };
}
