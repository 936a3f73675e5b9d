import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { ExportSlots } from '../../src/http/exports/slots.ts';

const codeOf = (run: () => unknown): unknown => {
  try {
    run();
    return undefined;
  } catch (error) {
    return Reflect.get(error as object, 'code');
  }
};

test('an organisation gets its share, and all organisations together the total', () => {
  const slots = new ExportSlots();
  const leaves: (() => void)[] = [];
  for (let n = 0; n < LIMITS.exportsAtOnce; n += 1) {
    leaves.push(slots.enter(`org${Math.floor(n / LIMITS.exportsPerOrganisation)}`));
  }
  expect(codeOf(() => slots.enter('org0'))).toBe('too_many_exports');
  expect(codeOf(() => slots.enter('late'))).toBe('overloaded');
  leaves[0]?.();
  // A second release has no effect.
  leaves[0]?.();
  expect(codeOf(() => slots.enter('late'))).toBeUndefined();
  expect(codeOf(() => slots.enter('later'))).toBe('overloaded');
});
