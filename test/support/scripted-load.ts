import type { AppSettings } from './app.ts';

/** A server that is notified when it has too much to do. */
export interface ScriptedLoad {
  readonly scheduling: NonNullable<AppSettings['scheduling']>;
  /** From now on every operation would have to wait, and there is no room for any. */
  overload(): void;
  /** From now on every operation starts at once. */
  calm(): void;
}

export function scriptedLoad(): ScriptedLoad {
  let now = 0;
  return {
    // One turn that never ends, and that has time left or not.
    scheduling: { time: () => now, nextTurn: () => {}, capacity: 0 },
    overload() {
      now = Number.POSITIVE_INFINITY;
    },
    calm() {
      now = 0;
    },
  };
}
