/** Whether what is recorded fits the catalogue. Types hold it for TypeScript; this holds it for values, in tests and development. */
import { EVENT_CATALOGUE, type EventType } from './catalogue.ts';
import { type MemberSchema, schemaOf } from './declare.ts';

let schemas: ReadonlyMap<string, MemberSchema> | undefined;

/** Has every event checked from now on, in this process. */
export function checkEvents(): void {
  schemas ??= new Map(Object.entries(EVENT_CATALOGUE).map(([type, { data }]) => [type, schemaOf(data)]));
}

/** @throws Error for `data` that is not as the catalogue declares it, once {@link checkEvents} was called. */
export function requireFit(type: EventType, data: unknown): void {
  const schema = schemas?.get(type);
  const problem = schema && problemWith(schema, data);
  if (problem !== undefined) throw new Error(`An event ${type} does not fit the catalogue: ${problem}.`);
}

/** What is wrong with a value, by the path of the first member that does not fit; undefined for one that fits. */
function problemWith(schema: MemberSchema, value: unknown, path = 'data'): string | undefined {
  const kinds = [schema.type].flat();
  if (!kinds.some((kind) => isOfKind(kind, value))) return `${path} is not ${kinds.join(' or ')}`;
  if (schema.enum && value !== null && !schema.enum.includes(value)) return `${path} is none of its values`;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items && firstOf(value.entries(), ([index, one]) => problemWith(items, one, `${path}.${index}`));
  }
  if (!schema.properties || value === null) return undefined;
  const { properties, required = [] } = schema;
  // Its kind is that of an object.
  const members = value as Readonly<Record<string, unknown>>;
  const missing = required.find((name) => members[name] === undefined);
  if (missing !== undefined) return `${path}.${missing} is missing`;
  return firstOf(Object.entries(members), ([name, one]) => {
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return declared ? problemWith(declared, one, `${path}.${name}`) : `${path}.${name} is not declared`;
  });
}

function isOfKind(kind: string, value: unknown): boolean {
  if (kind === 'null') return value === null;
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'integer') return Number.isSafeInteger(value);
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === kind;
}

function firstOf<Each>(all: Iterable<Each>, find: (one: Each) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
