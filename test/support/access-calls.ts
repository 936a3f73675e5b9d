/** The form in which a file of `test/access/` declares what tests that are made from the schema cannot know of its resource. */
import type { Ground, Making } from './access-ground.ts';

/** The exports of such a file. The tests that need one of them name it when it is missing. */
export interface ResourceFacts {
  readonly graph?: Rules<GraphCall>;
  readonly routes?: Rules<RouteCall>;
  /** By route: a request of acme's administrator that is refused with 409, because of the state that things are in. */
  readonly conflicts?: Readonly<Record<string, Making<RouteCall>>>;
  /** By mutation: the code with which it is refused before its transaction, for every caller. */
  readonly refusedFirst?: Readonly<Record<string, string>>;
  /** By the name of a String argument that is no line of text: what it is. */
  readonly texts?: Readonly<Record<string, string>>;
  /** By the name of a field whose text the server makes, so that no argument bounds it: the most characters that it has. */
  readonly lengths?: Readonly<Record<string, number>>;
  /** By field: the most elements of a list that no argument slices, and that is priced at its usual length. */
  readonly lists?: Readonly<Record<string, number>>;
  /** By column: a value, where a constraint or a reader takes only some of those of its type. */
  readonly columns?: Readonly<Record<string, unknown>>;
}

/**
 * By the name of a root field or a route: what each kind of caller gets, in the order of {@link CALLERS}, and a request that succeeds
 * for those who may. It is made anew for each caller, since what was deleted once cannot be deleted again. Under /v2 the same holds
 * for every route that is there, unless it has a rule of its own.
 */
export type Rules<Call> = Readonly<Record<string, readonly [outcomes: string, make: Making<Call>]>>;

/**
 * admin, editor and viewer are of acme, and so is what they ask for, except where a request names nothing. `other` is the
 * admin of another organisation, `narrowed` acme's admin with a token for read:orders, `expired` the same with a full
 * token that has ended, `anonymous` has no credentials.
 */
export const CALLERS = ['admin', 'editor', 'viewer', 'other', 'narrowed', 'expired', 'anonymous'];

export interface GraphCall {
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface RouteCall {
  readonly headers?: Readonly<Record<string, string>>;
  /** Values for what stands in braces in the path. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** A body as it is sent. */
  readonly text?: string;
}

export const ACME = { org: 'acme' };

/** An operation that stands as it is, about what the demo has. */
export const alone =
  (document: string): Making<GraphCall> =>
  () => ({ document });

/** Members of the ground that give an id. */
type Thing = {
  [Name in keyof Ground]: Ground[Name] extends () => Promise<number> ? Name : never;
}[keyof Ground];

/** An operation about something that is made for it, whose id is `$id`. */
export const about =
  (thing: Thing, document: string): Making<GraphCall> =>
  async (ground) => ({ document, variables: { id: await ground[thing]() } });

/** An operation with a token of a session that no one else uses. */
export const withToken =
  (document: string): Making<GraphCall> =>
  async (ground) => ({ document, variables: { token: await ground.refreshToken() } });
