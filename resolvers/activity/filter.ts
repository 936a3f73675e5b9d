import { ApiError, type ErrorDetail } from '../../src/core/errors.ts';
import { type EventType, isEventType } from '../../src/events/catalogue.ts';

/**
 * The types that a list was filtered by, each once and in one order, so that one filter is one list; null for no filter.
 *
 * @throws ApiError `validation_failed` for a list without any, and naming each that does not exist.
 */
export function readEventTypes(types: readonly string[] | null | undefined): readonly EventType[] | null {
  if (types == null) return null;
  const details: ErrorDetail[] = types.flatMap((type, index) =>
    isEventType(type) ? [] : [{ path: `types.${index}`, message: 'is not a type of event' }],
  );
  if (types.length === 0)
    details.push({ path: 'types', message: 'must name at least one type, or be left out' });
  const [first] = details;
  if (first) throw new ApiError('validation_failed', { message: `${first.path} ${first.message}.`, details });
  return [...new Set(types.filter(isEventType))].sort();
}
