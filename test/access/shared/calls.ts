/** The form in which a file of `test/access/` declares the facts about its resource that generated tests cannot derive from the schema. */
import type { Fixtures, Making } from './fixtures.ts';

/** The exports of such a file. A test that needs a missing one fails with its name. */
export interface ResourceFacts {
  readonly graph?: Rules<GraphCall>;
  readonly routes?: Rules<RouteCall>;
  /** By route: a request of acme's administrator that fails with 409 because of the state of the resource. */
  readonly conflicts?: Readonly<Record<string, Making<RouteCall>>>;
  /**
   * By PATCH route: bodies that change a new row of the ground. The first member of each body is the one that it tests; others are what it
   * requires. Every member of the route's body needs one.
   */
  readonly changes?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** By mutation: the error code with which every caller is refused before the transaction. */
  readonly refusedFirst?: Readonly<Record<string, string>>;
  /** By the name of a String argument that is not a line of text: its kind. */
  readonly texts?: Readonly<Record<string, string>>;
  /** By the name of a field whose text the server generates, so that no argument limits it: its maximum length in characters. */
  readonly lengths?: Readonly<Record<string, number>>;
  /** By field: the maximum length of a list without page arguments, which is priced at its usual length. */
  readonly lists?: Readonly<Record<string, number>>;
  /** By column: a valid value, if a constraint or a reader accepts only some values of the type. */
  readonly columns?: Readonly<Record<string, unknown>>;
}

/**
 * By the name of a root field or a route: the outcome for each kind of caller, in the order of {@link CALLERS}, and a request that succeeds
 * for authorized callers, and changes something if it is a mutation. The request is created for each caller, since a row can only be deleted once. The rule of a /v1 route also
 * applies to the route under /v2, unless that one has its own rule.
 */
export type Rules<Call> = Readonly<Record<string, readonly [outcomes: string, make: Making<Call>]>>;

/**
 * The kinds of callers. `admin`, `editor` and `viewer` belong to acme, as do the rows that requests name. `other` is the admin of
 * another organisation, `narrowed` is acme's admin with a token for read:orders only, `expired` is acme's admin with an expired token
 * for all scopes, and `anonymous` has no credentials.
 */
export const CALLERS = ['admin', 'editor', 'viewer', 'other', 'narrowed', 'expired', 'anonymous'] as const;

export interface GraphCall {
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface RouteCall {
  readonly headers?: Readonly<Record<string, string>>;
  /** The values of the path parameters. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** A raw body. */
  readonly text?: string;
}

export const ACME = { org: 'acme' };

/** A fixed operation on the demo data. */
export const alone =
  (document: string): Making<GraphCall> =>
  () => ({ document });

/** The members of the fixtures that return an id. */
type Thing = {
  [Name in keyof Fixtures]: Fixtures[Name] extends () => Promise<number> ? Name : never;
}[keyof Fixtures];

/** An operation on a new row, whose id is `$id`. */
export const about =
  (thing: Thing, document: string): Making<GraphCall> =>
  async (fixtures) => ({ document, variables: { id: await fixtures[thing]() } });

/** An operation with the refresh token of a new session. */
export const withToken =
  (document: string): Making<GraphCall> =>
  async (fixtures) => ({ document, variables: { token: await fixtures.refreshToken() } });
