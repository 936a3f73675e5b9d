import type { AppSettings } from './app.ts';

/** A scheduler whose overload a test controls. */
export interface ScriptedLoad {
  readonly scheduling: NonNullable<AppSettings['scheduling']>;
  /** From now on, every operation would have to wait, and the queue has no capacity. */
  overload(): void;
  /** From now on, every operation starts immediately. */
  calm(): void;
}

export function scriptedLoad(): ScriptedLoad {
  let now = 0;
  return {
    // A single turn that never ends, and has time left or not.
    scheduling: { time: () => now, nextTurn: () => {}, capacity: 0 },
    overload() {
      now = Number.POSITIVE_INFINITY;
    },
    calm() {
      now = 0;
    },
  };
}
