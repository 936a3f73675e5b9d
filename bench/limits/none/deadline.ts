import type { AbortSignalLike, Deadline } from '../../../src/core/deadline.ts';

/** The members of a deadline that the server uses. */
type UsedDeadline = Pick<Deadline, keyof AbortSignalLike | 'meet' | 'abandon'>;

const NEVER: UsedDeadline = {
  aborted: false,
  reason: undefined,
  throwIfAborted() {},
  addEventListener() {},
  removeEventListener() {},
  meet() {},
  abandon() {},
};

/** Deadlines that never expire. */
export class Deadlines {
  begin(): UsedDeadline {
    return NEVER;
  }
}

export const onAbort = (_signal: AbortSignalLike | undefined, _listener: () => void) => () => {};
