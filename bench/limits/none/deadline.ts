import type { AbortSignalLike, Deadline } from '../../../src/core/deadline.ts';

/** What is asked of a deadline by its creator, and by the work that it ends. */
type Asked = Pick<Deadline, keyof AbortSignalLike | 'meet' | 'abandon'>;

const NEVER: Asked = {
  aborted: false,
  reason: undefined,
  throwIfAborted() {},
  addEventListener() {},
  removeEventListener() {},
  meet() {},
  abandon() {},
};

/** All the time in the world. */
export class Deadlines {
  begin(): Asked {
    return NEVER;
  }
}

export const onAbort = (_ending: AbortSignalLike | undefined, _listener: () => void) => () => {};
