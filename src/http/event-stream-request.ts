/** What requests say about streams. */
import type { FastifyRequest } from 'fastify';
import { weightOf } from '../media-types.ts';

export const EVENT_STREAM = 'text/event-stream';

/** Whether a client asks for a stream, by name. */
export const wantsEventStream = ({ headers }: FastifyRequest): boolean => {
  const weight = weightOf(EVENT_STREAM, headers.accept);
  return weight > 0 && weight >= weightOf('application/json', headers.accept);
};

/** Where a client says it has been: what the last `id:` was that it has read. */
export function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}
