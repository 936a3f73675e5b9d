/** What each caller has written last, so that its reads see it whichever instance and replica serves them. */
import { LRUCache } from 'lru-cache';
import { LIMITS } from '../core/limits.ts';
import { later, type Position } from '../db/position.ts';
import type { Redis } from './redis.ts';

export interface Positions {
  /** @returns whether other instances can find it. Then a replica that lacks the change serves none of the caller's queries. */
  remember(caller: string, position: Position): Promise<boolean>;
  /**
   * The place of the caller's last change; undefined when it has written nothing lately.
   *
   * @returns `unknown` when another instance may know of one and cannot be asked.
   */
  find(caller: string): Promise<Position | undefined | 'unknown'>;
}

/** Milliseconds that a change is remembered: replicas that are further behind are not read. */
const KEPT = 2 * LIMITS.replicaLag;

/** @param redis where instances share what they know; without it this is the only instance. */
export function createPositions(redis: Redis | undefined): Positions {
  const own = new LRUCache<string, Position>({ max: LIMITS.rememberedWriters, ttl: KEPT });
  const shared = redis && sharePositions(redis);
  return {
    async remember(caller, position) {
      own.set(caller, later(own.get(caller), position) ?? position);
      return shared === undefined || shared.remember(caller, position);
    },
    async find(caller) {
      const known = own.get(caller);
      const elsewhere = shared && (await shared.find(caller));
      return elsewhere === 'unknown' ? elsewhere : later(known, elsewhere);
    },
  };
}

/** Keeps the later of two places: what was committed first may be reported last, by another instance. */
const KEEP_LATER = `
local function parts(position)
  local high, low = string.match(position, '(%x+)/(%x+)')
  return tonumber(high, 16), tonumber(low, 16)
end
local kept, position = redis.call('GET', KEYS[1]), ARGV[1]
if kept then
  local high, low = parts(position)
  local keptHigh, keptLow = parts(kept)
  if keptHigh > high or (keptHigh == high and keptLow > low) then position = kept end
end
redis.call('SET', KEYS[1], position, 'PX', ARGV[2])`;

/** Whether a Redis has been there for as long as changes are remembered. */
async function knowsAll(redis: Redis): Promise<boolean> {
  const seconds = /^uptime_in_seconds:(\d+)/m.exec(await redis.info('server'))?.[1];
  return Number(seconds) * 1000 > KEPT;
}

function sharePositions(redis: Redis): Positions {
  const keyOf = (caller: string) => `portico:position:${caller}`;
  /** Until when what is missing in Redis may have been written while it was away. */
  let unsureUntil = redis.status === 'ready' ? performance.now() + KEPT : Number.POSITIVE_INFINITY;
  const atStart = unsureUntil;
  // This instance may have started while others were without it.
  knowsAll(redis).then(
    (isSure) => {
      if (isSure && unsureUntil === atStart) unsureUntil = 0;
    },
    // The outage is logged where the connection was opened.
    () => undefined,
  );
  redis.on('close', () => {
    unsureUntil = Number.POSITIVE_INFINITY;
  });
  redis.on('ready', () => {
    unsureUntil = performance.now() + KEPT;
  });
  return {
    async remember(caller, position) {
      try {
        await redis.eval(KEEP_LATER, 1, keyOf(caller), position, KEPT);
        return true;
      } catch {
        // The change stands. Instances that cannot ask read the primary; this one does for the same time.
        unsureUntil = Math.max(unsureUntil, performance.now() + KEPT);
        return false;
      }
    },
    async find(caller) {
      try {
        const position = await redis.get(keyOf(caller));
        // Redis may know of an earlier change, and not of a later one.
        return performance.now() < unsureUntil ? 'unknown' : (position ?? undefined);
      } catch {
        return 'unknown';
      }
    },
  };
}
