/** The position of each caller's last change, so that its reads include the change on every instance and replica. */
import { LRUCache } from 'lru-cache';
import { monotonicTime } from '../core/clock.ts';
import { LIMITS } from '../core/limits.ts';
import { later, type WalPosition } from '../db/wal-position.ts';
import { ask, type Redis } from './redis.ts';

export interface Positions {
  /** @returns true if other instances can find the position. They then do not use replicas that lack the caller's change. */
  remember(caller: string, position: WalPosition): Promise<boolean>;
  /**
   * Finds the position of the caller's last change; undefined if it has written nothing recently.
   *
   * @returns `unknown` if another instance may have recorded one that cannot be read.
   */
  find(caller: string): Promise<WalPosition | undefined | 'unknown'>;
}

/** Milliseconds that a change is remembered. Replicas that lag this far behind are not read. */
const KEPT = 2 * LIMITS.replicaLag;

/** @param redis shares positions between instances; without it this is the only instance. */
export function createPositions(redis: Redis | undefined): Positions {
  const own = new LRUCache<string, WalPosition>({ max: LIMITS.rememberedWriters, ttl: KEPT });
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

/** Keeps the later of two positions: the earlier change may be reported last, by another instance. */
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

/** Whether Redis has been running for as long as changes are remembered. */
async function knowsAll(redis: Redis): Promise<boolean> {
  const seconds = /^uptime_in_seconds:(\d+)/m.exec(await redis.info('server'))?.[1];
  return Number(seconds) * 1000 > KEPT;
}

function sharePositions(redis: Redis): Positions {
  const keyOf = (caller: string) => `portico:position:${caller}`;
  /** Until this time Redis may lack changes that were made while it was unavailable. */
  let unsureUntil = redis.status === 'ready' ? monotonicTime() + KEPT : Number.POSITIVE_INFINITY;
  const atStart = unsureUntil;
  // Other instances may have been without Redis when this one started.
  knowsAll(redis).then(
    (isSure) => {
      if (isSure && unsureUntil === atStart) unsureUntil = 0;
    },
    // The opener of the connection logs the outage.
    () => undefined,
  );
  redis.on('close', () => {
    unsureUntil = Number.POSITIVE_INFINITY;
  });
  redis.on('ready', () => {
    unsureUntil = monotonicTime() + KEPT;
  });
  return {
    async remember(caller, position) {
      // Sent in any case: other instances may get responses, and Redis handles what it received while it was too slow.
      const kept = redis.eval(KEEP_LATER, 1, keyOf(caller), position, KEPT);
      kept.catch(() => undefined);
      try {
        await ask(redis, () => kept);
        return true;
      } catch {
        // The change is committed. Instances without Redis read the primary, and so does this one for as long.
        unsureUntil = Math.max(unsureUntil, monotonicTime() + KEPT);
        return false;
      }
    },
    async find(caller) {
      try {
        const position = await ask(redis, () => redis.get(keyOf(caller)));
        // Redis may have an earlier change but lack a later one.
        return monotonicTime() < unsureUntil ? 'unknown' : (position ?? undefined);
      } catch {
        return 'unknown';
      }
    },
  };
}
