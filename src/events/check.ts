/** Checks recorded events against the catalogue. TypeScript checks the types; this checks the values, in tests and development. */
import { isRecord } from '../core/json.ts';
import { EVENT_CATALOGUE, type EventType } from './catalogue.ts';
import { type MemberSchema, schemaOf } from './declare.ts';

let schemas: ReadonlyMap<string, MemberSchema> | undefined;

/** Enables the check of all further events in this process. */
export function checkEvents(): void {
  schemas ??= new Map(Object.entries(EVENT_CATALOGUE).map(([type, { data }]) => [type, schemaOf(data)]));
}

/** @throws Error if `data` does not match its declaration in the catalogue, once {@link checkEvents} was called. */
export function requireDeclaredData(type: EventType, data: unknown): void {
  const schema = schemas?.get(type);
  const problem = schema && problemWith(schema, data);
  if (problem !== undefined) throw new Error(`An event ${type} does not match the catalogue: ${problem}.`);
}

/** Returns the problem of a value, with the path of the first invalid member; undefined if it is valid. */
function problemWith(schema: MemberSchema, value: unknown, path = 'data'): string | undefined {
  const kinds = [schema.type].flat();
  if (!kinds.some((kind) => isOfKind(kind, value))) return `${path} is not ${kinds.join(' or ')}`;
  if (schema.enum && value !== null && !schema.enum.includes(value)) return `${path} is none of its values`;
  if (Array.isArray(value)) {
    const { items } = schema;
    const problems = value.values().map((one, index) => items && problemWith(items, one, `${path}.${index}`));
    return problems.find(isProblem);
  }
  if (!schema.properties || value === null) return undefined;
  const { properties, required = [] } = schema;
  // The kind was checked above: it is an object.
  const members = value as Readonly<Record<string, unknown>>;
  const missing = required.find((name) => members[name] === undefined);
  if (missing !== undefined) return `${path}.${missing} is missing`;
  const problems = Object.entries(members)
    .values()
    .map(([name, one]) => {
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return declared ? problemWith(declared, one, `${path}.${name}`) : `${path}.${name} is not declared`;
    });
  return problems.find(isProblem);
}

const isProblem = (problem: string | undefined) => problem !== undefined;

function isOfKind(kind: string, value: unknown): boolean {
  if (kind === 'null') return value === null;
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'integer') return Number.isSafeInteger(value);
  if (kind === 'object') return isRecord(value);
  return typeof value === kind;
}
