/** Waiting for work that cannot be cancelled until a signal aborts. */
import { expect, test, vi } from 'vitest';
import { unlessAborted } from '../../src/core/promises.ts';

test('a result that arrives before the abort is returned, and not discarded', async () => {
  const controller = new AbortController();
  const discard = vi.fn();
  const result = unlessAborted(Promise.resolve('a connection'), controller.signal, discard);
  controller.abort(new Error('late'));
  expect(await result).toBe('a connection');
  expect(discard).not.toHaveBeenCalled();
});

test('a result that arrives after the abort is discarded, once', async () => {
  const controller = new AbortController();
  const discard = vi.fn();
  const work = Promise.withResolvers<string>();
  const result = unlessAborted(work.promise, controller.signal, discard);
  controller.abort(new Error('too late'));
  await expect(result).rejects.toThrow('too late');
  work.resolve('a connection');
  await expect.poll(() => discard.mock.calls).toEqual([['a connection']]);
});

test('work that fails after the abort is no unhandled rejection', async () => {
  const controller = new AbortController();
  const work = Promise.withResolvers<string>();
  const result = unlessAborted(work.promise, controller.signal);
  controller.abort(new Error('too late'));
  await expect(result).rejects.toThrow('too late');
  work.reject(new Error('failed as well'));
});
