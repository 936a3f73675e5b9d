import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { ExportPlaces } from '../../src/http/exports/places.ts';

const codeOf = (run: () => unknown): unknown => {
  try {
    run();
    return undefined;
  } catch (error) {
    return Reflect.get(error as object, 'code');
  }
};

test('an organisation gets its share, and all organisations together the total', () => {
  const places = new ExportPlaces();
  const leaves: (() => void)[] = [];
  for (let n = 0; n < LIMITS.exportsAtOnce; n += 1) {
    leaves.push(places.enter(`org${Math.floor(n / LIMITS.exportsPerOrganisation)}`));
  }
  expect(codeOf(() => places.enter('org0'))).toBe('too_many_exports');
  expect(codeOf(() => places.enter('late'))).toBe('overloaded');
  leaves[0]?.();
  // A second release has no effect.
  leaves[0]?.();
  expect(codeOf(() => places.enter('late'))).toBeUndefined();
  expect(codeOf(() => places.enter('later'))).toBe('overloaded');
});
