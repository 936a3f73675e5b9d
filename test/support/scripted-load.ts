import { LIMITS } from '../../src/core/limits.ts';
import type { AppSettings } from './app.ts';

/** A scheduler whose overload a test controls. */
export interface ScriptedLoad {
  readonly scheduling: NonNullable<AppSettings['scheduling']>;
  /** From now on, every operation is one too many. */
  overload(): void;
  /** From now on, every operation starts in its turn. */
  calm(): void;
}

export function scriptedLoad(): ScriptedLoad {
  let capacity: number = LIMITS.waitingOperations;
  return {
    scheduling: { capacity: () => capacity },
    overload() {
      capacity = 0;
    },
    calm() {
      capacity = LIMITS.waitingOperations;
    },
  };
}
