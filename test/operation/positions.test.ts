/** Positions of the callers' last changes, shared by instances through Redis. */
import { expect, test, vi } from 'vitest';
import { createPositions } from '../../src/cluster/positions.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { connectPatiently, manageRedis } from '../support/redis.ts';
import { holdTime } from '../support/test-doubles.ts';

const redisServers = manageRedis();

test('the later of two changes applies, whichever instance reports last', async ({ skip }) => {
  const { url } = await redisServers.start(skip);
  const [one, other, reader] = [
    await connectPatiently(url),
    await connectPatiently(url),
    await connectPatiently(url),
  ];
  try {
    for (const [caller, first, second, later] of [
      ['a', '0/10', '0/9', '0/10'],
      ['b', '0/9', '0/10', '0/10'],
      ['c', '1/0', '0/FFFFFFFF', '1/0'],
      ['d', '9/A0', 'A/9', 'A/9'],
    ] as const) {
      await createPositions(one).remember(caller, first);
      await createPositions(other).remember(caller, second);
      expect(await reader.get(`portico:position:${caller}`)).toBe(later);
    }
  } finally {
    for (const redis of [one, other, reader]) redis.disconnect();
  }
});

test('an instance that starts with an empty Redis assumes that others have written', async ({ skip }) => {
  const { url } = await redisServers.start(skip);
  const redis = await connectPatiently(url);
  try {
    await createPositions(redis).remember('someone', '0/10');
    for (const caller of ['someone', 'another'])
      expect(await createPositions(redis).find(caller)).toBe('unknown');
  } finally {
    redis.disconnect();
  }
});

test('requests wait only once for a Redis that does not respond, and then read the primary', async ({
  skip,
}) => {
  const { url } = await redisServers.start(skip);
  const redis = await connectPatiently(url);
  try {
    const positions = createPositions(redis);
    expect(await positions.remember('someone', '0/10')).toBe(true);
    await redis.call('client', 'pause', '60000', 'all');
    redis.options.commandTimeout = LIMITS.redisTimeout;
    // The pause after an unanswered command does not end meanwhile.
    holdTime();
    const [get, evaluate] = [vi.spyOn(redis, 'get'), vi.spyOn(redis, 'eval')];
    let unanswered = 0;
    for (let request = 0; request < 4; request += 1) {
      expect(await positions.find('another')).toBe('unknown');
      expect(await positions.remember('another', '0/11')).toBe(false);
      void evaluate.mock.results.at(-1)?.value.catch(() => {
        unanswered += 1;
      });
    }
    // Positions are sent, but no request has waited until they were too late.
    expect([get.mock.calls.length, evaluate.mock.calls.length, unanswered]).toEqual([1, 4, 0]);
  } finally {
    redis.disconnect();
  }
});

test('a change is remembered although Redis was too slow for the request before', async ({ skip }) => {
  const { url } = await redisServers.start(skip);
  const redis = await connectPatiently(url);
  try {
    const positions = createPositions(redis);
    const operator = await connectPatiently(url);
    await operator.call('client', 'pause', '60000', 'write');
    redis.options.commandTimeout = LIMITS.redisTimeout;
    holdTime();
    for (const change of ['0/11', '0/12'] as const)
      expect(await positions.remember('someone', change)).toBe(false);
    await operator.call('client', 'unpause');
    await expect.poll(() => operator.get('portico:position:someone')).toBe('0/12');
    operator.disconnect();
  } finally {
    redis.disconnect();
  }
});
