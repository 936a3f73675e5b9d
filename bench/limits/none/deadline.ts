import type { AbortSignalLike, Deadline as Real } from '../../../src/core/deadline.ts';

/** The members of a deadline that the server uses. */
type UsedDeadline = Pick<Real, keyof AbortSignalLike | 'meet' | 'abandon'>;

/** A deadline that never expires. */
export class Deadline implements UsedDeadline {
  readonly aborted = false;
  readonly reason = undefined;
  throwIfAborted() {}
  addEventListener() {}
  removeEventListener() {}
  meet() {}
  abandon() {}
}

export const onAbort = (_signal: AbortSignalLike | undefined, _listener: () => void) => () => {};
