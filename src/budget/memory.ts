import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { LIMITS } from '../limits.ts';
import {
  type Allowance,
  type Budget,
  type BudgetOptions,
  fill,
  fullAt,
  type Level,
  secondsUntil,
} from './budget.ts';

/** A budget whose answers are there at once. */
export interface MemoryBudget extends Budget {
  take(key: string, points: number): Allowance;
  settle(key: string, points: number): Allowance;
}

/** Buckets in this process. */
export function createMemoryBudget(options: BudgetOptions, clock: Clock): MemoryBudget {
  // One that was forgotten is full again, as it would be anyhow after the time in which so many others were used.
  const levels = new LRUCache<string, Level>({ max: LIMITS.budgets });
  const levelOf = (key: string): Level => {
    let level = levels.get(key);
    if (!level) {
      level = fullAt(options, clock().getTime());
      levels.set(key, level);
    }
    return level;
  };
  const spend = (level: Level, points: number) => {
    level.points = Math.min(options.points, level.points - points);
    return level.points;
  };
  return {
    ...options,
    take(key, points) {
      const level = levelOf(key);
      fill(level, options, clock().getTime());
      const wanted = Math.min(points, options.points);
      if (level.points >= wanted) return { granted: true, available: spend(level, wanted), retryAfter: 0 };
      const available = level.points;
      return { granted: false, available, retryAfter: secondsUntil(wanted, available, options) };
    },
    // What flows in meanwhile is added when somebody takes from the bucket again.
    settle: (key, points) => ({ granted: true, available: spend(levelOf(key), points), retryAfter: 0 }),
  };
}
