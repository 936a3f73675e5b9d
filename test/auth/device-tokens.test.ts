import { generateKeySync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDeviceTokens } from '../../src/auth/device-tokens.ts';
import { createCursors } from '../../src/core/cursors.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Secrets } from '../../src/core/vault.ts';
import { testClock } from '../support/test-doubles.ts';

const newSecret = () => generateKeySync('hmac', { length: 256 });
const secrets: Secrets = [newSecret()];

test('a device token identifies its device for its account only', () => {
  const devices = createDeviceTokens(() => secrets, testClock());
  const token = devices.issue(1, 42);
  expect(token).toMatch(/^pdt_[A-Za-z0-9_-]+$/);
  expect(devices.deviceOf(token, 1)).toBe('42');
  expect(devices.deviceOf(token, 2)).toBeUndefined();
  // The account id used for an unknown address.
  expect(devices.deviceOf(token, 0)).toBeUndefined();
});

test('a device token is valid for half a year, while its key exists', () => {
  const clock = testClock();
  let ring = secrets;
  const devices = createDeviceTokens(() => ring, clock);
  const token = devices.issue(1, 42);
  ring = [newSecret(), ...secrets];
  clock.advance(LIMITS.deviceTokenLifetime);
  expect(devices.deviceOf(token, 1)).toBe('42');
  clock.advance(1);
  expect(devices.deviceOf(token, 1)).toBeUndefined();
  ring = [newSecret()];
  expect(devices.deviceOf(devices.issue(1, 43), 1)).toBe('43');
  expect(devices.deviceOf(token, 1)).toBeUndefined();
});

test('any other text is refused', () => {
  const devices = createDeviceTokens(() => secrets, testClock());
  const token = devices.issue(1, 42);
  const cursor = createCursors(() => secrets).seal(['orders'], [1, 42, 0]);
  for (const text of ['', 'pdt_', 'x', token.slice(4), `${token}A`, `pdt_${cursor}`, `pdt_${token}`, '\0'])
    expect(devices.deviceOf(text, 1), text).toBeUndefined();
});
