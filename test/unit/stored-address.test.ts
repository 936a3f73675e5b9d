import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { storedAddress } from '../../src/core/stored-address.ts';

test.each([
  ['Ada@ACME.test', 'ada@acme.test'],
  ['ada+orders@acme.test', 'ada+orders@acme.test'],
  ['JOSE\u0301@acme.test', 'jos\u00e9@acme.test'],
  ['ada@M\u00fcnchen.test', 'ada@xn--mnchen-3ya.test'],
  ['ada@mu\u0308nchen.test', 'ada@xn--mnchen-3ya.test'],
  ['ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['\u212aim@acme.test', 'kim@acme.test'],
  ['\u0430da@acme.test', '\u0430da@acme.test'],
  ['ada@[IPv6:2001:DB8:0:0::01]', 'ada@[ipv6:2001:db8::1]'],
  ['ada@[ipv6:::ffff:192.0.2.1]', 'ada@[ipv6:::ffff:c000:201]'],
  ['ada@[ipv6:1]', 'ada@[ipv6:1]'],
  // A URL parser would end the domain there.
  ['ada@m\u00fcnchen.test/x', 'ada@m\u00fcnchen.test/x'],
  ['m\u00fcnchen', 'm\u00fcnchen'],
  ['', ''],
])('%j is stored as %j', (address, stored) => {
  expect(storedAddress(address)).toBe(stored);
  expect(storedAddress(stored)).toBe(stored);
});

test('a text that is too long for an address is not normalized', () => {
  const long = 'e\u0301'.repeat(LIMITS.emailLength);
  expect(storedAddress(long)).toBe(long);
});
