/** Detects requests for streams. */
import type { FastifyRequest } from 'fastify';
import { weightOf } from '../negotiation.ts';

export const EVENT_STREAM = 'text/event-stream';

const JSON_TYPES = ['application/json', 'application/graphql-response+json'];

/**
 * Whether a client explicitly prefers a stream to JSON. Some clients, such as urql, list all supported media types for a query,
 * but want a single response.
 */
export const wantsEventStream = ({ headers: { accept } }: FastifyRequest): boolean => {
  const weight = weightOf(EVENT_STREAM, accept);
  return weight > 0 && JSON_TYPES.every((type) => weight > weightOf(type, accept));
};

/** Whether a client explicitly accepts JSON, even if it prefers a stream. */
export const takesJson = ({ headers: { accept } }: FastifyRequest): boolean =>
  JSON_TYPES.some((type) => weightOf(type, accept) > 0);

/** Returns the client's Last-Event-ID. */
export function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
