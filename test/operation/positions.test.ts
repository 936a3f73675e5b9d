/** Positions of the callers' last changes, shared by instances through Redis. */
import { expect, test } from 'vitest';
import { createPositions } from '../../src/cluster/positions.ts';
import { openRedis } from '../../src/cluster/redis.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { manageRedis } from '../support/redis.ts';

const redisServers = manageRedis();

const connect = (url: string) => openRedis({ url, onLost: () => undefined, onBack: () => undefined });

test('the later of two changes applies, whichever instance reports last', async ({ skip }) => {
  const { url } = await redisServers.start(skip);
  const [one, other, reader] = [await connect(url), await connect(url), await connect(url)];
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
  const redis = await connect(url);
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
  const redis = await connect(url);
  try {
    const positions = createPositions(redis);
    expect(await positions.remember('someone', '0/10')).toBe(true);
    await redis.call('client', 'pause', '60000', 'all');
    const began = performance.now();
    for (let request = 0; request < 4; request += 1) {
      expect(await positions.find('another')).toBe('unknown');
      expect(await positions.remember('another', '0/11')).toBe(false);
    }
    expect(performance.now() - began).toBeLessThan(2 * LIMITS.redisTimeout);
  } finally {
    redis.disconnect();
  }
});

test('a change is remembered although Redis was too slow for the request before', async ({ skip }) => {
  const { url } = await redisServers.start(skip);
  const redis = await connect(url);
  try {
    const positions = createPositions(redis);
    await redis.call('client', 'pause', String(LIMITS.redisTimeout + 200), 'all');
    expect(await positions.find('someone')).toBe('unknown');
    expect(await positions.remember('someone', '0/12')).toBe(false);
    await expect.poll(() => redis.get('portico:position:someone').catch(() => null)).toBe('0/12');
  } finally {
    redis.disconnect();
  }
});
