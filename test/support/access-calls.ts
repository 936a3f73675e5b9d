/**
 * What `test/access/` says of a resource: for each of its root fields and routes who may come, and a request that succeeds for those who
 * may. Each request is made anew for each caller, since what was deleted once cannot be deleted again.
 */
import type { Ground, Making } from './access-ground.ts';

/**
 * By the name of a root field or a route: what each kind of caller gets, in the order of {@link CALLERS}, and a request. Under /v2 the same
 * holds for every route that is there, unless it has a rule of its own.
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
