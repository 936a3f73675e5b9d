/**
 * Functions with which a resource declares its events. One declaration provides the TypeScript type of an event's `data`, its
 * schema in OpenAPI, its description in the reference, and the check of recorded events.
 */

type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/** The subset of JSON Schema 2020-12 that payloads need. */
export interface MemberSchema {
  readonly type: Kind | readonly Kind[];
  readonly description?: string;
  readonly format?: 'date-time';
  readonly enum?: readonly unknown[];
  readonly items?: MemberSchema;
  readonly properties?: Readonly<Record<string, MemberSchema>>;
  readonly required?: readonly string[];
}

/** A member of a payload. `Value` is its type, which exists only in the type system. */
interface Member<Value, Optional extends boolean = false> {
  readonly schema: MemberSchema;
  readonly optional: Optional;
  readonly value?: Value;
}

type Members = Readonly<Record<string, Member<unknown, boolean>>>;

type Required<Of extends Members> = { [K in keyof Of]: Of[K]['optional'] extends true ? never : K }[keyof Of];

type ValueOf<Of> = Of extends Member<infer Value, boolean> ? Value : never;

/** The type of an object with these members. Optional members may be absent, but are never undefined. */
export type PayloadOf<Of extends Members> = {
  readonly [K in Required<Of>]: ValueOf<Of[K]>;
} & {
  readonly [K in Exclude<keyof Of, Required<Of>>]?: ValueOf<Of[K]>;
};

const member = <Value>(schema: MemberSchema): Member<Value> => ({ schema, optional: false });

export const text = (description: string) => member<string>({ type: 'string', description });

export const id = (description: string) => member<number>({ type: 'integer', description });

export const decimal = (description: string) => member<number>({ type: 'number', description });

export const flag = (description: string) => member<boolean>({ type: 'boolean', description });

/** A time in the format of RFC 3339, in UTC. */
export const time = (description: string) =>
  member<string>({ type: 'string', format: 'date-time', description });

export const oneOf = <Value extends string>(values: readonly Value[], description: string) =>
  member<Value>({ type: 'string', enum: values, description });

export const texts = (description: string) =>
  member<readonly string[]>({ type: 'array', items: { type: 'string' }, description });

export const object = <Of extends Members>(members: Of, description: string) =>
  member<PayloadOf<Of>>({ ...schemaOf(members), description });

export function orNull<Value>({ schema }: Member<Value>): Member<Value | null> {
  return member({ ...schema, type: [schema.type, 'null'].flat() as readonly Kind[] });
}

/** A member that is left out where it does not apply. */
export const optional = <Value>({ schema }: Member<Value>): Member<Value, true> => ({
  schema,
  optional: true,
});

export interface EventDeclaration {
  /**
   * The scope required to see the event, in addition to `read:feed` and the visibility rule of the resource. It is the scope for
   * reading the subject, since an event reveals much of its subject.
   */
  readonly scope: string;
  /** A sentence that describes when it is recorded. */
  readonly description: string;
  /** The members of its `data`: what readers with `read:feed` may see. As in REST: snake_case, amounts as decimal numbers. */
  readonly data: Members;
}

/** Declares the events of a resource by type. A type is a subject and a past participle, such as `order.created`. */
export const declareEvents = <const Events extends Readonly<Record<`${string}.${string}`, EventDeclaration>>>(
  events: Events,
): Events => events;

/** The schema of an object with these members and no others. */
export function schemaOf(members: Members): MemberSchema {
  const entries = Object.entries(members);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, each]) => !each.optional).map(([name]) => name),
  };
}
