import { createSecretKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createCursors, type Position } from '../../src/core/cursors.ts';
import { ApiError } from '../../src/core/errors.ts';

const key = (byte: number) => createSecretKey(new Uint8Array(32).fill(byte));
const cursors = createCursors(() => [key(1)]);
const LIST: Position = ['products', 'acme'];

const refusal = (open: () => unknown) => {
  try {
    return open();
  } catch (error) {
    return error instanceof ApiError ? error.code : error;
  }
};

describe('a cursor', () => {
  for (const position of [[1], ['2026-01-01T00:00:00.000Z', 7], [0, -1, 'ü"\\', '']] satisfies Position[]) {
    test(`returns the position ${JSON.stringify(position)}`, () => {
      expect(cursors.open(LIST, cursors.seal(LIST, position))).toEqual(position);
    });
  }

  test('needs no escaping in a query', () => {
    for (let id = 0; id < 500; id += 1) expect(cursors.seal(LIST, [id, '??>>'])).toMatch(/^[\w-]+$/);
  });

  test('is the same for the same position, so that pages can be compared', () => {
    expect(cursors.seal(LIST, [5])).toBe(cursors.seal(LIST, [5]));
  });

  test('differs for every position', () => {
    const all = Array.from({ length: 500 }, (_, id) => cursors.seal(LIST, [id]));
    expect(new Set(all).size).toBe(500);
  });

  for (const [given, list] of [
    ['another organisation', ['products', 'globex']],
    ['another list', ['charges', 'acme']],
    ['a filter', ['products', 'acme', 'type']],
    ['no filter', ['products']],
    ['concatenated names', ['productsacme']],
    ['a number instead of a string', ['products', 0]],
  ] satisfies [string, Position][]) {
    test(`is refused by a list with ${given}`, () => {
      expect(refusal(() => cursors.open(list, cursors.seal(LIST, [5])))).toBe('invalid_cursor');
    });
  }

  test('is refused when any character was changed', () => {
    const cursor = cursors.seal(LIST, [12_345]);
    for (let index = 0; index < cursor.length; index += 1) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
      expect(
        refusal(() => cursors.open(LIST, changed)),
        changed,
      ).toBe('invalid_cursor');
    }
  });

  for (const [given, change] of [
    ['empty', () => ''],
    [
      'of a seal without a position',
      (cursor: string) => Buffer.from(cursor, 'base64url').subarray(0, 16).toString('base64url'),
    ],
    ['shorter than a seal', () => 'AAAA'],
    ['followed by padding', (cursor: string) => `${cursor}=`],
    ['followed by white space', (cursor: string) => `${cursor} `],
    ['encoded as plain base64', (cursor: string) => Buffer.from(cursor, 'base64url').toString('base64')],
    ['followed by other characters', (cursor: string) => `${cursor}AAAA`],
  ] satisfies [string, (cursor: string) => string][]) {
    test(`is refused when it is ${given}`, () => {
      // A sealed value that differs in plain base64.
      const cursor = cursors.seal(LIST, [12_345, '???>>>']);
      expect(refusal(() => cursors.open(LIST, change(cursor)))).toBe('invalid_cursor');
    });
  }

  test('is refused when sealed with another key', () => {
    const others = createCursors(() => [key(2)]);
    expect(refusal(() => cursors.open(LIST, others.seal(LIST, [5])))).toBe('invalid_cursor');
  });

  test('stays valid after a key rotation', () => {
    const rotated = createCursors(() => [key(2), key(1)]);
    expect(rotated.open(LIST, cursors.seal(LIST, [5]))).toEqual([5]);
    expect(rotated.seal(LIST, [5])).not.toBe(cursors.seal(LIST, [5]));
  });

  test('does not reveal its list', () => {
    const bytes = Buffer.from(cursors.seal(['products', 'acme'], [5]), 'base64url').toString('latin1');
    expect(bytes).not.toContain('acme');
  });
});
