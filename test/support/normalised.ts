/** A normalising cache, as Apollo Client, Graphcache and Relay keep one: each object once, by its type and id. */
import { getNamedType, isInterfaceType, isLeafType, isNonNullType, isObjectType } from 'graphql';
import type { Field } from '../../src/graphql/field.ts';
import { schema } from './operations.ts';

type Members = Readonly<Record<string, unknown>>;

/** Objects by type and id, with what each field of theirs was when it was first read, and where that was. */
export class NormalisingCache {
  readonly #known = new Map<string, Map<string, { readonly text: string; readonly place: string }>>();
  /** Fields that had another value elsewhere. */
  readonly conflicts: string[] = [];

  /** The names of the types that were seen. */
  get types(): Set<string> {
    return new Set([...this.#known.keys()].map((key) => key.slice(0, key.indexOf(':'))));
  }

  /**
   * Takes in what was answered.
   *
   * @param place how it was asked for.
   * @param args what distinguishes a field with arguments from the same without.
   */
  add(value: unknown, place: string, args = ''): void {
    this.#walk(value, undefined, '', { place, args });
  }

  /** @param owner the object with an id that the value is in, and `path` where in it. */
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

/** How a value was asked for. */
interface Origin {
  readonly place: string;
  readonly args: string;
}

function fieldOf(typeName: string, name: string): Field | undefined {
  const type = schema.getType(typeName);
  return isObjectType(type) ? type.getFields()[name] : undefined;
}

const sizeOf = (field: Field) => field.args.find(({ name }) => name === 'first' || name === 'limit');

/** A way through the schema: fields from a root field down, and those of the last object that lead on to others. */
export interface Way {
  readonly fields: readonly Field[];
  readonly ends: readonly Field[];
}

/**
 * Every way from a root field to the objects of the schema. Those that differ in their last field are one, and asked for at once.
 *
 * @param length fields at most, with the last.
 */
export function waysFrom(root: Field, length: number): Way[] {
  const follow = (fields: readonly Field[]): Way[] => {
    const type = getNamedType(fields.at(-1)?.type ?? root.type);
    const next = isObjectType(type) ? Object.values(type.getFields()).filter(leadsOn) : [];
    const ends = next.filter((field) => !fields.includes(field));
    // A way that goes on selects what a shorter one does.
    if (ends.length === 0 || fields.length + 1 >= length) return [{ fields, ends }];
    return ends.flatMap((field) => follow([...fields, field]));
  };
  return follow([root]);
}

const leadsOn = (field: Field): boolean =>
  isObjectType(getNamedType(field.type)) &&
  field.args.every(({ type: argument }) => !isNonNullType(argument));

/** The selection of everything along a way: leaves, and references to other objects. */
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

/** A field as far as it can be read without arguments and without going further. */
function shownOf(field: Field): string[] {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return field.args.length === 0 ? [field.name] : [];
  if (field.args.length > 0 || !(isObjectType(type) || isInterfaceType(type))) return [];
  const leaves = Object.values(type.getFields()).filter((inner) => isLeafType(getNamedType(inner.type)));
  return [`${field.name} { __typename ${leaves.map(({ name }) => name).join(' ')} }`];
}
