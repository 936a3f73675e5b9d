import type { IncomingHttpHeaders } from 'node:http';
import { readPosition } from '../../pipeline/position.ts';

/**
 * The place of a change in the database's log of changes. A response to a change has it where there are replicas, and a request
 * that sends it back sees the change, through any door and instance.
 */
export const POSITION = 'portico-position';

/** @throws ApiError `invalid_parameter`. */
export const positionIn = (headers: IncomingHttpHeaders) =>
  readPosition(headers[POSITION], 'Portico-Position');
