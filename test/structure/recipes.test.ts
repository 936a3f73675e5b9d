/** `portico trigger` can cause every event that an operation of a client causes. */
import { expect, test } from 'vitest';
import { recipeFor } from '../../src/cli/trigger/recipes.ts';
import { EVENT_TYPES, type EventType } from '../../src/events/catalogue.ts';

/** Event types that no operation of a client causes. */
const UNAVAILABLE: readonly EventType[] = ['webhook.disabled'];

const subjectOf = (type: EventType) => type.split('.')[0];

test('every event type has a recipe in src/cli/trigger/recipes.ts, unless it is of a new resource without any', () => {
  const available = EVENT_TYPES.filter((type) => typeof recipeFor(type) === 'function');
  const subjects = new Set(available.map(subjectOf));
  const lacking = EVENT_TYPES.filter((type) => !available.includes(type) && subjects.has(subjectOf(type)));
  expect(lacking).toEqual(UNAVAILABLE);
});
