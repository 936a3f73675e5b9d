import type { IncomingHttpHeaders } from 'node:http';
import { readPosition } from '../../pipeline/context.ts';

/**
 * The position of a change in the database's log of changes. With replicas, the response to a change has it. A request that
 * sends it back sees the change, through any door and instance.
 */
export const POSITION = 'portico-position';

/** Reads the position in the headers of a request. @throws ApiError `invalid_parameter`. */
export const positionIn = (headers: IncomingHttpHeaders) =>
  readPosition(headers[POSITION], 'Portico-Position');
