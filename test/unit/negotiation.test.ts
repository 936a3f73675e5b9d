import { expect, test } from 'vitest';
import { weightOf } from '../../src/http/negotiation.ts';

test.each([
  [undefined, 0],
  ['', 0],
  ['application/problem+json', 1],
  ['Application/Problem+JSON', 1],
  ['application/json, application/problem+json', 1],
  ['application/problem+json;q=0.5', 0.5],
  ['application/problem+json ; Q = 0.25', 0.25],
  ['application/problem+json;profile=x;q=0.125', 0.125],
  ['application/problem+json;q=1.000', 1],
  ['application/problem+json;q=0', 0],
  ['application/problem+json;q=0.000, */*', 0],
  ['application/problem+json;q=much', 1],
  ['application/problem+json;q=7', 1],
  ['*/*', 0],
  ['application/*', 0],
  ['application/json', 0],
  ['application/problem+jsonp', 0],
  ['text/plain;of=application/problem+json', 0],
])('Accept: %s prefers problem+json: %s', (accept, weight) => {
  expect(weightOf('application/problem+json', accept)).toBe(weight);
});
