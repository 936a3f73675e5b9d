import { describe, expect, test } from 'vitest';
import { VaultError } from '../../src/core/vault.ts';
import { testKey, testVault } from '../support/test-doubles.ts';

const PLACE = 'webhooks/acme/7/secret';

describe('a vault', () => {
  const keys = new Map([
    ['new', testKey()],
    ['old', testKey()],
  ]);
  const vault = testVault(keys);

  test.each(['', 'whsec_abc', 'ünïcode \u{1F511}', 'x'.repeat(10_000)])(
    'opens what it sealed: %s',
    async (text) => {
      const sealed = vault.seal(text, PLACE);
      expect(sealed.startsWith(vault.prefix)).toBe(true);
      expect(sealed).not.toContain(text || 'nothing');
      expect(await vault.open(sealed, PLACE)).toBe(text);
    },
  );

  test('seals the same text differently each time', () => {
    expect(vault.seal('a', PLACE)).not.toBe(vault.seal('a', PLACE));
  });

  test('returns plain text unchanged', async () => {
    expect(await vault.open('whsec_abc', PLACE)).toBe('whsec_abc');
  });

  test('opens what a previous key sealed', async () => {
    const former = testVault(new Map([...keys].slice(1)));
    expect(await vault.open(former.seal('a', PLACE), PLACE)).toBe('a');
  });

  test.each(['webhooks/acme/8/secret', 'webhooks/globex/7/secret', ''])(
    'opens nothing at %s',
    async (place) => {
      await expect(vault.open(vault.seal('a', PLACE), place)).rejects.toThrow(VaultError);
    },
  );

  test('opens nothing with another key or after its key was removed', async () => {
    const sealed = vault.seal('a', PLACE);
    await expect(testVault(new Map([['new', testKey()]])).open(sealed, PLACE)).rejects.toThrow(VaultError);
    await expect(testVault(new Map([['b', testKey()]])).open(sealed, PLACE)).rejects.toThrow('does not have');
  });

  test('opens nothing that was modified at any position', async () => {
    const sealed = vault.seal('abc', PLACE);
    for (let at = 'sealed:v1:'.length; at < sealed.length; at += 1) {
      for (const replacement of ['', sealed[at] === 'A' ? 'Q' : 'A']) {
        const changed = sealed.slice(0, at) + replacement + sealed.slice(at + 1);
        await expect(vault.open(changed, PLACE), changed).rejects.toThrow(VaultError);
      }
    }
  });
});
