import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { AttemptSlots } from '../../src/webhooks/attempt-slots.ts';

const PROMPT = 100;

describe('the slots of attempts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const onFreed = vi.fn();
  const createSlots = (slots: number, slowSlots: number) =>
    new AttemptSlots({ slots, slowSlots, prompt: PROMPT, onFreed });

  test('are shared by all webhooks, each with a maximum of its own', () => {
    const slots = createSlots(LIMITS.webhookConcurrency + 1, 1);
    const releases = Array.from({ length: slots.freeFor(1) }, () => slots.take(1));
    expect(releases.length).toBe(LIMITS.webhookConcurrency);
    expect([slots.busyWith(1), slots.freeFor(1), slots.freeFor(2)]).toEqual([releases.length, 0, 1]);
    slots.take(2);
    expect(slots.freeFor(3)).toBe(0);
    for (const release of releases) release();
    expect([slots.busyWith(1), slots.freeFor(1)]).toEqual([0, LIMITS.webhookConcurrency]);
  });

  test('are free for others after a time, and not for the same receiver until it has responded in time', () => {
    const slots = createSlots(2, 1);
    const hanging = [slots.take(1), slots.take(1)];
    expect(slots.freeFor(2)).toBe(0);
    onFreed.mockClear();
    vi.advanceTimersByTime(PROMPT);
    expect(onFreed).toHaveBeenCalledTimes(2);
    expect([slots.freeFor(1), slots.freeFor(2)]).toEqual([0, 2]);
    for (const release of hanging) release();
    expect([slots.freeFor(1), slots.freeFor(2)]).toEqual([1, 2]);
    const release = slots.take(1);
    expect([slots.freeFor(1), slots.freeFor(2)]).toEqual([0, 2]);
    release();
    expect(slots.freeFor(1)).toBe(2);
    vi.advanceTimersByTime(PROMPT);
    expect(slots.freeFor(1)).toBe(2);
  });
});
