import { ApiError } from '../core/errors.ts';
import { isWalPosition, type WalPosition } from '../db/wal-position.ts';

/**
 * Reads a position that a client sends so that its reads include a change.
 *
 * @param name the name of the parameter, for the error.
 * @throws ApiError `invalid_parameter`.
 */
export function readPosition(value: unknown, name: string): WalPosition | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && isWalPosition(value)) return value;
  const message = 'must be a position from a response';
  throw new ApiError('invalid_parameter', { details: [{ path: name, message }] });
}
