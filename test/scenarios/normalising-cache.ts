/** A normalised cache, as in Apollo Client, Graphcache and Relay, which stores each object once by its type and id. */
import { getNamedType, isInterfaceType, isLeafType, isNonNullType, isObjectType } from 'graphql';
import type { Field } from '../../src/graphql/field.ts';
import { schema } from '../support/api.ts';

type Members = Readonly<Record<string, unknown>>;

/** Stores objects by type and id, with the first value of each field and its origin. */
export class NormalisingCache {
  readonly #known = new Map<string, Map<string, { readonly text: string; readonly place: string }>>();
  /** Fields with different values from different origins. */
  readonly conflicts: string[] = [];

  /** The names of the types in the cache. */
  get types(): Set<string> {
    return new Set([...this.#known.keys()].map((key) => key.slice(0, key.indexOf(':'))));
  }

  /**
   * Adds a response.
   *
   * @param place describes the query.
   * @param args distinguishes a field with page arguments from the same field without them.
   */
  add(value: unknown, place: string, args = ''): void {
    this.#walk(value, undefined, '', { place, args });
  }

  /** @param owner the key of the object that contains the value. @param path the path of the value in this object. */
  #walk(value: unknown, owner: string | undefined, path: string, from: Origin): void {
    if (Array.isArray(value)) {
      this.#note(owner, `${path}.length`, value.length, from);
      for (const [index, element] of value.entries()) this.#walk(element, owner, `${path}.${index}`, from);
      return;
    }
    if (typeof value !== 'object' || value === null) {
      this.#note(owner, path, value, from);
      return;
    }
    const { __typename: typeName, ...members } = value as Members;
    const isKeyed = typeof typeName === 'string' && members['id'] !== undefined;
    const key = isKeyed ? `${typeName}:${members['id']}` : owner;
    if (isKeyed) this.#note(owner, path, key, from);
    for (const [name, member] of Object.entries(members)) {
      const field = typeof typeName === 'string' ? fieldOf(typeName, name) : undefined;
      const slot = `${isKeyed ? '' : `${path}.`}${name}${field && sizeOf(field) ? from.args : ''}`;
      if (field && isLeafType(getNamedType(field.type))) this.#note(key, slot, member, from);
      else this.#walk(member, key, slot, from);
    }
  }

  #note(owner: string | undefined, slot: string, value: unknown, { place }: Origin): void {
    if (owner === undefined) return;
    const slots = this.#known.get(owner) ?? new Map();
    this.#known.set(owner, slots);
    const text = JSON.stringify(value);
    const former = slots.get(slot);
    if (!former) slots.set(slot, { text, place });
    else if (former.text !== text) {
      this.conflicts.push(`${owner}.${slot}: ${former.text} by ${former.place}; ${text} by ${place}`);
    }
  }
}

/** The query that a value comes from. */
interface Origin {
  readonly place: string;
  readonly args: string;
}

function fieldOf(typeName: string, name: string): Field | undefined {
  const type = schema.getType(typeName);
  return isObjectType(type) ? type.getFields()[name] : undefined;
}

const sizeOf = (field: Field) => field.args.find(({ name }) => name === 'first' || name === 'limit');

/** A path through the schema: fields from a root field down, and the fields of the last object that return other objects. */
export interface Way {
  readonly fields: readonly Field[];
  readonly ends: readonly Field[];
}

/**
 * Returns all paths from a root field to the objects of the schema. Paths that only differ in the last field are combined into one.
 *
 * @param length the maximum number of fields, including the last.
 */
export function waysFrom(root: Field, length: number): Way[] {
  const follow = (fields: readonly Field[]): Way[] => {
    const type = getNamedType(fields.at(-1)?.type ?? root.type);
    const next = isObjectType(type) ? Object.values(type.getFields()).filter(leadsOn) : [];
    const ends = next.filter((field) => !fields.includes(field));
    // A longer path also selects what a shorter one selects.
    if (ends.length === 0 || fields.length + 1 >= length) return [{ fields, ends }];
    return ends.flatMap((field) => follow([...fields, field]));
  };
  return follow([root]);
}

const leadsOn = (field: Field): boolean =>
  isObjectType(getNamedType(field.type)) &&
  field.args.every(({ type: argument }) => !isNonNullType(argument));

/** Selects everything along a path: leaves, and references to other objects. */
export function selectionAlong(
  { fields: [field, ...rest], ends }: Way,
  size: number | undefined,
  given = '',
): string {
  if (!field) return ends.map((end) => selectionAlong({ fields: [end], ends: [] }, size)).join(' ');
  const type = getNamedType(field.type);
  const sized = sizeOf(field);
  const args = [
    ...(given ? [given] : []),
    ...(sized && size !== undefined ? [`${sized.name}: ${size}`] : []),
  ];
  const members = [
    '__typename',
    ...(isObjectType(type) ? Object.values(type.getFields()).flatMap(shownOf) : []),
    selectionAlong({ fields: rest, ends }, size),
  ];
  const selection = isLeafType(type) ? '' : `{ ${members.join(' ')} }`;
  return `${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${selection}`;
}

/** Selects the leaves of a field that need no arguments. */
function shownOf(field: Field): string[] {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return field.args.length === 0 ? [field.name] : [];
  if (field.args.length > 0 || !(isObjectType(type) || isInterfaceType(type))) return [];
  const leaves = Object.values(type.getFields()).filter((inner) => isLeafType(getNamedType(inner.type)));
  return [`${field.name} { __typename ${leaves.map(({ name }) => name).join(' ')} }`];
}
