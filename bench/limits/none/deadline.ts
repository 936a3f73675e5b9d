import type { Ending, Deadline as Real } from '../../../src/deadline.ts';

type Public = Omit<Pick<Real, keyof Real>, 'abort'>;

/** All the time in the world. */
export class Deadline implements Public {
  readonly end = Number.POSITIVE_INFINITY;
  previous: undefined;
  next: undefined;
  readonly aborted = false;
  readonly reason = undefined;

  throwIfAborted(): void {}

  addEventListener(): void {}

  removeEventListener(): void {}

  meet(): void {}

  abandon(): void {}
}

export const onAbort = (_ending: Ending | undefined, _listener: () => void) => () => {};
