/** Reading the end of a log: a wake at the wrong time must not leave readers waiting for the next one. */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { installDemo } from '../../src/cli/demo/install.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { type LogPosition, logEnd } from '../../src/events/log-position.ts';
import { Tail } from '../../src/events/tail.ts';
import { describeEachEngine } from '../support/engines.ts';
import { membersOf } from '../support/test-doubles.ts';

/** More turns than between the last read of a pass and its end. */
const MICROTASKS = 12;

describeEachEngine('the tail of a log', (engine) => {
  beforeAll(() => installDemo(engine.database, async () => 'no password'));

  /** Calls back after events were read, before the reader continues. */
  function watched(onRead: () => void): OpenDatabase {
    const { database } = engine;
    return {
      ...membersOf(database),
      async run(statement, params, signal) {
        const rows = await database.run(statement, params, signal);
        if (statement.name === 'events.after') onRead();
        return rows;
      },
    };
  }

  describe('checks once more after a wake that arrives', () => {
    test.each(Array.from({ length: MICROTASKS }, (_, after) => after))(
      '%i microtasks after it has read',
      async (after) => {
        let reads = 0;
        const second = Promise.withResolvers<void>();
        const database = watched(() => {
          reads += 1;
          if (reads === 1) wakeAfter(after);
          else second.resolve();
        });
        const deliver = async () => undefined;
        const onFailure = second.reject;
        const onLost = async () => onFailure('lost');
        const tail = await Tail.open({ database, org: 'acme', deliver, onLost, onFailure });
        const wakeAfter = (microtasks: number): void => {
          if (microtasks === 0) tail.wake();
          else queueMicrotask(() => wakeAfter(microtasks - 1));
        };
        tail.wake();
        await second.promise;
        await tail.close();
        expect(reads).toBe(2);
      },
    );
  });

  test('notices a lost log again if ending its followers has failed', async () => {
    const { database } = engine;
    const end = await logEnd(database, 'acme');
    const failure = new Error('The database broke.');
    const onLost = vi.fn(async (_end: LogPosition) => undefined).mockRejectedValueOnce(failure);
    const onFailure = vi.fn();
    const deliver = async () => undefined;
    const lost = { id: end.id + 1 };
    const tail = new Tail({ database, org: 'acme', deliver, onLost, onFailure }, lost);
    tail.wake();
    await expect.poll(() => onFailure.mock.calls).toEqual([[failure]]);
    expect(tail.position).toBe(lost.id);
    tail.wake();
    await expect.poll(() => tail.position).toBe(end.id);
    await tail.close();
    expect(onLost.mock.calls).toEqual([[end], [end]]);
  });
});
