import { describe, expect, test } from 'vitest';
import { FairQueue } from '../../src/core/fair-queue.ts';
import { FairSlots } from '../../src/core/fair-slots.ts';

/** Pushes items named after their callers: `acme/ada` belongs to ada of acme. */
function queueOf(items: readonly (string | readonly [who: string, cost: number])[]) {
  const queue = new FairQueue<string>();
  const push = (who: string, cost = 1) => {
    const [org = '', caller = ''] = who.split('/');
    return queue.push({ org, caller }, cost, who);
  };
  for (const item of items) {
    if (typeof item === 'string') push(item);
    else push(...item);
  }
  const take = (count = 1) => Array.from({ length: count }, () => queue.shift()?.item);
  return { queue, push, take };
}

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

describe('a fair queue', () => {
  test('serves one caller in order of arrival', () => {
    const queue = new FairQueue<number>();
    for (const n of [1, 2, 3]) queue.push({ org: 'acme', caller: 'ada' }, 100 - n, n);
    expect([queue.shift()?.item, queue.shift()?.item, queue.shift()?.item, queue.shift()]).toEqual([
      1,
      2,
      3,
      undefined,
    ]);
  });

  test('serves a new organisation next, however much a busy one has queued', () => {
    const { push, take } = queueOf(times(500, ['acme/ada', 1000] as const));
    take(3);
    push('globex/gil');
    expect(take(2)).toEqual(['globex/gil', 'acme/ada']);
  });

  test('gives organisations equal shares of the cost, not of the count', () => {
    const { take } = queueOf([
      ...times(20, ['acme/ada', 100] as const),
      ...times(100, ['globex/gil', 10] as const),
    ]);
    const served = take(55);
    expect(served.filter((who) => who === 'acme/ada')).toHaveLength(5);
  });

  test('gives callers of one organisation equal shares, and their organisation no larger share for having many', () => {
    const { take } = queueOf([
      ...times(50, 'acme/ada'),
      ...times(50, 'acme/ed'),
      ...times(50, 'acme/vic'),
      ...times(50, 'globex/gil'),
    ]);
    const served = take(60);
    const count = (who: string) => served.filter((each) => each === who).length;
    expect([count('acme/ada'), count('acme/ed'), count('acme/vic'), count('globex/gil')]).toEqual([
      10, 10, 10, 30,
    ]);
  });

  test('does not let callers save up turns while idle', () => {
    const { push, take } = queueOf(times(100, 'acme/ada'));
    push('globex/gil');
    take(50);
    for (let n = 0; n < 10; n += 1) push('globex/gil');
    expect(take(10).filter((who) => who === 'globex/gil')).toHaveLength(5);
  });

  test('charges the difference later when work costs more than estimated', () => {
    const { queue, take } = queueOf([...times(20, 'acme/ada'), ...times(20, 'globex/gil')]);
    expect(take(1)).toEqual(['acme/ada']);
    queue.charge({ org: 'acme', caller: 'ada' }, 5);
    expect(take(6)).toEqual(times(6, 'globex/gil'));
    queue.charge({ org: 'none', caller: 'none' }, 5);
  });

  test('rejects the newest entry of the longest queue, and never one of a caller below its share', () => {
    const { queue, push } = queueOf([
      ...times(6, 'acme/ada'),
      ...times(2, 'acme/ed'),
      ...times(3, 'globex/gil'),
    ]);
    const newest = push('acme/ada');
    expect(queue.excess()).toBe(newest);
    for (let left = queue.length; left > 0; left -= 1) {
      const excess = queue.excess();
      if (!excess) throw new Error('The queue is empty.');
      const { organisation } = excess.caller;
      // The share of an organisation, and of a caller in it.
      expect(organisation.length).toBeGreaterThanOrEqual(left / 2);
      expect(excess.caller.length).toBeGreaterThanOrEqual(organisation.length / 2);
      expect(queue.remove(excess)).toBe(true);
      expect(queue.remove(excess)).toBe(false);
    }
    expect(queue.excess()).toBeUndefined();
  });

  test('stays fair and small when many callers come and go', () => {
    const { queue, push, take } = queueOf(times(10, 'acme/ada'));
    for (let n = 0; n < 5000; n += 1) {
      push(`org-${n}/somebody`);
      push('acme/ada');
      const [first, second] = take(2);
      expect([first, second]).toContain(`org-${n}/somebody`);
    }
    expect(queue.length).toBe(10);
    expect(queue.parties).toBeLessThan(1100);
  });
});

describe('fair slots', () => {
  const refusal = (cause: string) => new Error(cause);
  const acme = { org: 'acme', caller: 'ada' };
  const globex = { org: 'globex', caller: 'gil' };

  test('are taken at once while free, then in fair order', async () => {
    const slots = new FairSlots({ slots: 2, capacity: 10, refusal });
    expect([slots.acquire(acme), slots.acquire(acme)]).toEqual([undefined, undefined]);
    const order: string[] = [];
    for (const name of ['a1', 'a2', 'a3']) void slots.acquire(acme)?.then(() => order.push(name));
    slots.release();
    void slots.acquire(globex)?.then(() => order.push('g1'));
    slots.release();
    slots.release();
    await Promise.resolve();
    expect(order).toEqual(['a1', 'g1', 'a2']);
    expect([slots.taken, slots.waiting]).toEqual([2, 1]);
  });

  test('can be limited to fewer, until those that are taken are returned, and be all lent again', async () => {
    const slots = new FairSlots({ slots: 3, capacity: 10, refusal });
    for (const _ of [1, 2, 3]) slots.acquire(acme);
    const waiting = [slots.acquire(acme), slots.acquire(globex), slots.acquire(acme)];
    slots.limitTo(1);
    slots.release();
    slots.release();
    expect([slots.taken, slots.waiting, slots.isFull]).toEqual([1, 3, true]);
    slots.release();
    expect([slots.taken, slots.waiting]).toEqual([1, 2]);
    slots.limitTo();
    await Promise.all(waiting);
    expect([slots.taken, slots.waiting]).toEqual([3, 0]);
  });

  test('reject an entry of the caller with the longest queue when full, even if another caller arrives', async () => {
    const slots = new FairSlots({ slots: 1, capacity: 2, refusal });
    slots.acquire(acme);
    const [first, second] = [slots.acquire(acme), slots.acquire(acme)];
    const neighbour = slots.acquire(globex);
    await expect(second).rejects.toThrow('full');
    slots.release();
    await expect(first).resolves.toBeUndefined();
    slots.release();
    await expect(neighbour).resolves.toBeUndefined();
  });

  test('are waited for no longer than the abort signal and the timeout allow', async () => {
    const slots = new FairSlots({ slots: 1, capacity: 10, patience: 20, refusal });
    slots.acquire(acme);
    const controller = new AbortController();
    const gone = slots.acquire(acme, controller.signal);
    controller.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    await expect(slots.acquire(acme, controller.signal)).rejects.toThrow('gone');
    await expect(slots.acquire(acme)).rejects.toThrow('time');
    expect(slots.waiting).toBe(0);
    slots.release();
    expect([slots.acquire(acme), slots.taken]).toEqual([undefined, 1]);
  });
});
