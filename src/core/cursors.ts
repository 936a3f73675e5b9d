import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { ApiError } from './errors.ts';
import type { Secrets } from './vault.ts';

/** Bytes of the seal. 128 bits cannot be guessed, and keep a cursor short. */
const SEAL_BYTES = 16;

/** The position at which a page ended: the values of the list's sort key, the last of which is unique. */
export type Position = readonly (number | string)[];

/**
 * Creates and opens cursors: the base64url of seal and position. The seal is an HMAC over list and position, so that a client can neither
 * change the position nor use it on a list with other filters or of another organisation.
 *
 * @param secrets keys of the HMAC, the same on every instance.
 */
export function createCursors(secrets: () => Secrets) {
  return {
    /** @param list everything that identifies the list: its name, organisation, order and filters. */
    seal(list: Position, position: Position): string {
      const text = JSON.stringify(position);
      return Buffer.concat([sealOf(secrets()[0], list, text), Buffer.from(text)]).toString('base64url');
    },
    /** Also opens cursors of `others`, lists with the same positions. @throws ApiError `invalid_cursor` for one of any other list. */
    open(list: Position, cursor: string, ...others: readonly Position[]): Position {
      const bytes = Buffer.from(cursor, 'base64url');
      const seal = bytes.subarray(0, SEAL_BYTES);
      const text = bytes.subarray(SEAL_BYTES).toString();
      const genuine =
        bytes.length > SEAL_BYTES &&
        // Decoding is lenient, but each position has only one valid encoding.
        bytes.toString('base64url') === cursor &&
        [list, ...others].some((each) =>
          secrets().some((secret) => timingSafeEqual(seal, sealOf(secret, each, text))),
        );
      if (!genuine) throw new ApiError('invalid_cursor');
      // The seal proves that this text was written by `seal` above.
      return JSON.parse(text) as Position;
    },
  };
}

/** Sealed cursors. Each is valid only for its own list. */
export type Cursors = ReturnType<typeof createCursors>;

function sealOf(secret: KeyObject, list: Position, position: string): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([list, position]))
    .digest()
    .subarray(0, SEAL_BYTES);
}
