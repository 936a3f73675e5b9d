/** What requests say about streams. */
import type { FastifyRequest } from 'fastify';
import { weightOf } from '../negotiation.ts';

export const EVENT_STREAM = 'text/event-stream';

const JSON_TYPES = ['application/json', 'application/graphql-response+json'];

/**
 * Whether a client asks for a stream, by name, and rather than for JSON. Some, such as urql, name for a query all that they
 * can read, and take one answer as it is.
 */
export const wantsEventStream = ({ headers: { accept } }: FastifyRequest): boolean => {
  const weight = weightOf(EVENT_STREAM, accept);
  return weight > 0 && JSON_TYPES.every((type) => weight > weightOf(type, accept));
};

/** Whether a client can read JSON, by name, even if it would rather have a stream. */
export const takesJson = ({ headers: { accept } }: FastifyRequest): boolean =>
  JSON_TYPES.some((type) => weightOf(type, accept) > 0);

/** The client's Last-Event-ID. */
export function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
