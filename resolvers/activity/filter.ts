import { ApiError, type ErrorDetail } from '../../src/core/errors.ts';
import { type EventType, isEventType } from '../../src/events/catalogue.ts';

/**
 * Reads a filter by event types. Returns the types sorted and without duplicates, so that equal filters have the same cursors;
 * null without a filter.
 *
 * @throws ApiError `validation_failed` for an empty list and for unknown types, which are all listed.
 */
export function readEventTypes(types: readonly string[] | null | undefined): readonly EventType[] | null {
  if (types == null) return null;
  const details: ErrorDetail[] = types.flatMap((type, index) =>
    isEventType(type) ? [] : [{ path: `types.${index}`, message: 'is not an event type' }],
  );
  if (types.length === 0)
    details.push({ path: 'types', message: 'must have at least one element, or be omitted' });
  if (details.length > 0) throw new ApiError('validation_failed', { details });
  return [...new Set(types.filter(isEventType))].sort();
}
