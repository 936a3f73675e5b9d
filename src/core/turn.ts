/**
 * The end of a turn. A turn of the event loop reads the sockets, then runs operations, which the scheduler starts, and ends with what is
 * best done for all of them together: sending their responses or their statements.
 */

/** Resolves when the turn ends; undefined if nothing awaits that. */
let end: PromiseWithResolvers<void> | undefined;
/** Whether operations are being started. */
let isRunning = false;
let started = 0;

/** Begins to start operations. The caller calls {@link endTurn}, in the same phase of the event loop. */
export function beginTurn(): void {
  isRunning = true;
}

/** Ends the turn, once its operations have run as far as they can without waiting. */
export function endTurn(): void {
  isRunning = false;
  end?.resolve();
  end = undefined;
}

/** Resolves when the turn ends. While no operations are being started, it ends when the sockets have been read. */
export function turnEnd(): Promise<void> {
  if (end === undefined) {
    end = Promise.withResolvers();
    if (!isRunning) setImmediate(endTurn);
  }
  return end.promise;
}

/** Notes that an operation starts now. */
export function noteStart(): void {
  started += 1;
}

/** Returns the number of operations that were started. If it changes, the work that follows is that of another operation. */
export const startedOperations = (): number => started;
