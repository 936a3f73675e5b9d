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
