import { expect, test } from 'vitest';
import { createRateLimitHeaders } from '../../src/http/hooks/response.ts';

const rateLimitHeaders = createRateLimitHeaders({ points: 500, perSecond: 20 });

test.each([
  { given: 'a full bucket', available: 500, limit: '"points";r=500;t=0' },
  { given: 'one that lacks a fraction of a point', available: 499.5, limit: '"points";r=499;t=1' },
  { given: 'one that lacks the points of one second', available: 480, limit: '"points";r=480;t=1' },
  { given: 'one that lacks more', available: 479, limit: '"points";r=479;t=2' },
  { given: 'an empty one', available: 0, limit: '"points";r=0;t=25' },
  { given: 'one with a debt, which takes longer to fill', available: -40, limit: '"points";r=0;t=27' },
])('$given has the limit $limit', ({ available, limit }) => {
  const headers = { policy: '"points";q=500;w=25', limit };
  expect(rateLimitHeaders(available)).toEqual(headers);
  expect(rateLimitHeaders(available)).toEqual(headers);
});

test('cached headers do not prevent others from being computed', () => {
  for (let available = -3000; available <= 500; available += 1) rateLimitHeaders(available);
  expect(rateLimitHeaders(-3000).limit).toBe('"points";r=0;t=175');
  expect(rateLimitHeaders(500).limit).toBe('"points";r=500;t=0');
});
