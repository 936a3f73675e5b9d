import { ApiError } from '../core/errors.ts';
import { isPosition, type Position } from '../db/position.ts';

/**
 * What a client sends as the place of a change that it wants to see.
 *
 * @param name what the client calls it.
 * @throws ApiError `invalid_parameter`.
 */
export function readPosition(value: unknown, name: string): Position | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && isPosition(value)) return value;
  const message = 'must be a position that a response has named';
  throw new ApiError('invalid_parameter', { details: [{ path: name, message }] });
}
