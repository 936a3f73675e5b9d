import { FairSlots } from '../../../src/core/fair-slots.ts';
import { noteStart, turnEnd } from '../../../src/core/turn.ts';
import type { Scheduler as Real } from '../../../src/pipeline/scheduler.ts';

type Public = Pick<Real, keyof Real>;

/** Starts all operations once the sockets have been read. */
export class Scheduler implements Public {
  readonly waiting = 0;

  async enter(): Promise<void> {
    await turnEnd();
    noteStart();
  }

  charge(): void {}
}

export const createExpensiveQueries = (): FairSlots =>
  new FairSlots({
    slots: Number.POSITIVE_INFINITY,
    capacity: 0,
    refusal: () => new Error('There is always a place.'),
  });
