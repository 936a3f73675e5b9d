import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Flow } from '../../src/core/fair-queue.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { turnEnd } from '../../src/core/turn.ts';
import { createMetrics } from '../../src/observability/prometheus.ts';
import { createShedLog } from '../../src/observability/shed-log.ts';
import { Scheduler, type SchedulerOptions } from '../../src/pipeline/scheduler.ts';
import { DEFAULTS } from '../support/settings.ts';
import { threadTime } from '../support/timing.ts';

const ada = { org: 'acme', caller: 'ada' };
const gil = { org: 'globex', caller: 'gil' };

const { patience } = DEFAULTS.operations;

/** A scheduler whose time and turns are controlled by the test. */
function scripted(options: Partial<SchedulerOptions> = {}) {
  let now = 1000;
  let turn: (() => void) | undefined;
  const started: string[] = [];
  const refused: string[] = [];
  const scheduler = new Scheduler({
    patience,
    ...options,
    time: () => now,
    nextTurn(next) {
      turn = next;
    },
  });
  return {
    scheduler,
    started,
    refused,
    pass(milliseconds: number) {
      now += milliseconds;
    },
    /** An operation that blocks the thread for some milliseconds once it starts. */
    async run(name: string, flow: Flow, milliseconds: number, signal?: AbortSignal) {
      try {
        await scheduler.enter(flow, milliseconds, signal);
      } catch (error) {
        refused.push(name);
        return error;
      }
      started.push(name);
      // Its work continues over some microtasks.
      await Promise.resolve();
      await Promise.resolve();
      now += milliseconds;
      return undefined;
    },
    /** Starts the next turn of the event loop. */
    async turn() {
      const next = turn;
      turn = undefined;
      next?.();
      await nextTurn();
    },
    get isTurnDue() {
      return turn !== undefined;
    },
  };
}

test('operations start in the next turn, as many as have time; the others wait for later turns', async () => {
  const script = scripted();
  for (let n = 1; n <= LIMITS.turnTime; n += 1) void script.run(`cheap ${n}`, ada, 1);
  for (let n = 1; n <= 3; n += 1) void script.run(`expensive ${n}`, ada, LIMITS.turnTime + 1);
  await nextTurn();
  expect(script.started).toEqual([]);
  await script.turn();
  expect(script.started).toHaveLength(LIMITS.turnTime);
  expect(script.scheduler.waiting).toBe(3);
  await script.turn();
  expect(script.started).toHaveLength(LIMITS.turnTime + 1);
  while (script.isTurnDue) await script.turn();
  expect(script.scheduler.waiting).toBe(0);
});

test('an operation that arrives while a turn runs starts in it if there is time left', async () => {
  const script = scripted();
  void script.run('first', ada, 1).then(() => script.run('second', ada, 1));
  await script.turn();
  expect(script.started).toEqual(['first', 'second']);
});

test('responses are sent when the turn ends, and before if it lasts longer than usual', async () => {
  const script = scripted();
  const sent: string[] = [];
  const respond = (name: string, milliseconds: number) =>
    script
      .run(name, ada, milliseconds)
      .then(turnEnd)
      .then(() => sent.push(`${name} after ${script.started.at(-1)}`));
  for (const name of ['a', 'b']) void respond(name, 1);
  await script.turn();
  expect(sent).toEqual(['a after b', 'b after b']);

  for (const name of ['c', 'd', 'e']) void respond(name, LIMITS.turnTime - 1);
  // The turn lasts as long as reading took.
  script.pass(10 * LIMITS.turnTime);
  await script.turn();
  expect(sent.slice(2)).toEqual(['c after d', 'd after d', 'e after e']);
});

test('an operation of a quiet organisation starts next, however many expensive ones wait', async () => {
  const script = scripted();
  for (let n = 1; n <= 16; n += 1) void script.run(`expensive ${n}`, ada, 7);
  await script.turn();
  await script.turn();
  expect(script.started).toEqual(['expensive 1', 'expensive 2']);
  void script.run('order', gil, 1);
  await script.turn();
  expect(script.started[2]).toBe('order');
});

test('a cost that becomes known after the start counts afterwards', async () => {
  const script = scripted();
  for (const n of [1, 2]) void script.run(`ada ${n}`, ada, 1);
  for (const n of [1, 2, 3]) void script.run(`gil ${n}`, gil, 1);
  script.pass(100);
  script.scheduler.charge(ada, 1000);
  await script.turn();
  expect(script.started.slice(0, 3)).toEqual(['gil 1', 'gil 2', 'gil 3']);
});

test('time spent reading sockets does not reduce the time to serve', async () => {
  const script = scripted();
  for (let n = 1; n <= 100; n += 1) void script.run(`${n}`, ada, 1);
  script.pass(40);
  await script.turn();
  expect(script.started.length).toBe(40);
});

test('when too many wait, an operation of the caller with the longest queue is rejected', async () => {
  const causes: string[] = [];
  const script = scripted({ capacity: () => 4, onShed: (cause, { org }) => causes.push(`${cause} ${org}`) });
  const waiting = [1, 2, 3, 4].map((n) => script.run(`ada ${n}`, ada, 7));
  void script.run('gil', gil, 1);
  expect(await waiting[3]).toMatchObject({ code: 'overloaded', retryAfter: expect.any(Number) });
  expect(await script.run('ada 5', ada, 7)).toMatchObject({ code: 'overloaded' });
  expect(causes).toEqual(['queue_full acme', 'queue_full acme']);
  while (script.isTurnDue) await script.turn();
  expect(script.started).toEqual(['ada 1', 'gil', 'ada 2', 'ada 3']);
});

test('operations of the longest queue that have waited too long are rejected, and a short queue is not affected', async () => {
  const causes: string[] = [];
  const script = scripted({ onShed: (cause, { org }) => causes.push(`${cause} ${org}`) });
  const few = LIMITS.calmQueue;
  for (let n = 0; n < few; n += 1) void script.run(`ada ${n}`, ada, 20);
  script.pass(10 * patience);
  while (script.isTurnDue) await script.turn();
  expect(script.refused).toEqual([]);

  for (let n = 0; n < few; n += 1) void script.run(`more ${n}`, ada, 20);
  void script.run('gil', gil, 20);
  script.pass(10 * patience);
  void script.run('newest', ada, 20);
  await nextTurn();
  // The operations before it waited long enough for it to be rejected too.
  expect(script.refused).toEqual(['newest']);
  while (script.isTurnDue) await script.turn();
  expect(script.started).toContain('gil');
  expect(script.refused.length).toBeGreaterThan(0);
  expect(new Set(causes)).toEqual(new Set(['queue_time acme']));
  expect(script.started.length + script.refused.length).toBe(2 * few + 2);
});

test('an operation whose client has disconnected does not start', async () => {
  const script = scripted();
  const controller = new AbortController();
  const gone = script.run('gone', ada, 7, controller.signal);
  void script.run('there', ada, 7);
  const reason = new Error('The client went away.');
  controller.abort(reason);
  expect(await gone).toBe(reason);
  expect(await script.run('late', ada, 7, controller.signal)).toBe(reason);
  while (script.isTurnDue) await script.turn();
  expect(script.started).toEqual(['there']);
});

test('on the real event loop, timers and sockets get their turn between expensive operations', async () => {
  // Processor time, so that other programs on the machine make no difference.
  const scheduler = new Scheduler({ patience, time: threadTime });
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const operations = Array.from({ length: 10 }, async () => {
    await scheduler.enter(ada, 1);
    const end = threadTime() + LIMITS.turnTime + 1;
    while (threadTime() < end);
    return turns;
  });
  const seen = await Promise.all(operations);
  isDone = true;
  // One per turn, or two if the second took no longer than reading the sockets before.
  expect(new Set(seen).size).toBeGreaterThanOrEqual(5);
});

test('rejected operations are counted by cause and logged at intervals', async () => {
  const lines: object[] = [];
  let now = 0;
  const metrics = createMetrics();
  const shed = createShedLog({ warn: (line: object) => void lines.push(line) }, metrics, () => now);
  for (let n = 0; n < 100; n += 1) shed('queue_full', ada);
  now = LIMITS.shedWarningInterval;
  shed('queue_time', gil);
  expect(lines).toEqual([
    { cause: 'queue_full', org: 'acme', operations: 1 },
    { cause: 'queue_time', org: 'globex', operations: 100 },
  ]);
  const text = await metrics.text();
  expect(text).toContain('portico_shed_operations_total{cause="queue_full"} 100');
  expect(text).toContain('portico_shed_operations_total{cause="queue_time"} 1');
  expect(text).toContain('portico_refusals_total{refusal="overload"} 101');
});
