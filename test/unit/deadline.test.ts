/** Deadlines of requests: aborting everything that listens to one. */
import { afterEach, expect, test, vi } from 'vitest';
import { Deadlines } from '../../src/core/deadline.ts';
import { ApiError } from '../../src/core/errors.ts';

afterEach(() => void vi.useRealTimers());

/** Collects unhandled errors while the work runs and in the turn after it. */
async function uncaughtIn(work: () => void): Promise<readonly unknown[]> {
  const uncaught: unknown[] = [];
  process.setUncaughtExceptionCaptureCallback((error) => uncaught.push(error));
  try {
    work();
    await new Promise(setImmediate);
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
  return uncaught;
}

/** Of the global object whose timers the test controls. */
const fakedTime = () => performance.now();

test('an error in one listener does not prevent calls of the others, and every error is reported', async () => {
  const deadline = new Deadlines(1000).begin();
  const called: string[] = [];
  const faults = [new Error('the first'), new Error('the second')];
  deadline.addEventListener('abort', () => called.push('before'));
  for (const fault of faults) {
    deadline.addEventListener('abort', () => {
      throw fault;
    });
  }
  deadline.addEventListener('abort', () => called.push('behind'));
  const uncaught = await uncaughtIn(() => {
    deadline.abandon();
    expect(called).toEqual(['before', 'behind']);
  });
  expect(uncaught).toEqual(faults);
  expect(deadline.reason).toMatchObject({ code: 'timeout', message: 'The client went away.' });
});

test('an error in a listener does not prevent other work with the same deadline from ending', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const deadlines = new Deadlines(700, fakedTime);
  const [one, other] = [deadlines.begin(), deadlines.begin()];
  const fault = new Error('a fault');
  one.addEventListener('abort', () => {
    throw fault;
  });
  expect(await uncaughtIn(() => vi.advanceTimersByTime(700))).toEqual([fault]);
  expect([one.reason, other.reason]).toEqual([new ApiError('timeout'), new ApiError('timeout')]);
});

test('of very many deadlines, exactly the exceeded ones fire', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const deadlines = new Deadlines(1100, fakedTime);
  const all = Array.from({ length: 1000 }, () => {
    vi.advanceTimersByTime(1);
    return deadlines.begin();
  });
  const late = [5, 64, 150, 998, 999];
  for (const [index, deadline] of all.entries()) if (!late.includes(index)) deadline.meet();
  const ended = () => all.flatMap(({ aborted }, index) => (aborted ? [index] : []));
  expect(ended()).toEqual([]);
  vi.advanceTimersByTime(300);
  expect(ended()).toEqual([5, 64, 150]);
  vi.advanceTimersByTime(1000);
  expect(ended()).toEqual(late);
});

test('a deadline that is met while another one fires does not fire', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const deadlines = new Deadlines(1300, fakedTime);
  const [one, other] = [deadlines.begin(), deadlines.begin()];
  one.addEventListener('abort', () => other.meet());
  vi.advanceTimersByTime(1300);
  expect([one.aborted, other.aborted]).toEqual([true, false]);
});

test('a listener is called once, and a removed one is not called', () => {
  const deadline = new Deadlines(1000).begin();
  const called: string[] = [];
  const takenBack = () => called.push('taken back');
  deadline.addEventListener('abort', () => called.push('kept'));
  deadline.addEventListener('abort', takenBack);
  deadline.removeEventListener('abort', takenBack);
  deadline.abandon();
  deadline.abort(new ApiError('timeout'));
  expect(called).toEqual(['kept']);
});

test('work that starts while other work is aborted gets no timer of its own', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const deadlines = new Deadlines(1300, fakedTime);
  let ended = 0;
  const begin = () => {
    deadlines.begin().addEventListener('abort', () => {
      ended += 1;
      begin();
      begin();
    });
  };
  begin();
  for (const generation of [1, 2, 3, 4]) {
    vi.advanceTimersByTime(1300);
    expect(ended).toBe(2 ** generation - 1);
    expect(vi.getTimerCount()).toBe(1);
  }
});
