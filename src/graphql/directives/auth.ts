import type { GraphQLSchema } from 'graphql';
import type { Caller, Context } from '../../../resolvers/shared/context.ts';
import { authorize, isRole, isScope, type Principal, type Requirement } from '../../auth/policy.ts';
import { type Field, fieldsOfObjects, runAfter } from '../field.ts';
import { directiveValues } from './values.ts';

/** The scopes that `@auth` may require, and what they permit. */
export { SCOPE_WORDS, SCOPES } from '../../auth/policy.ts';

/** What a field requires of its caller: nothing if `public`; undefined if the field has no directive. */
export type Access = Requirement | 'public' | undefined;

const accessOfField = new WeakMap<Field, Access>();

/** The requirement of `@auth` or `@public` on a field. Call {@link enforceAuth} on the schema before. */
export function accessOf(field: Field): Access {
  return accessOfField.get(field);
}

/**
 * Makes every field with `@auth` check its caller before its resolver runs.
 *
 * @throws Error for a root field without `@auth` and `@public`, a field with both, or an unknown scope or role: each would be a security hole.
 */
export function enforceAuth(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const [type, field] of fieldsOfObjects(schema)) {
    const access = readAccess(schema, field, `${type.name}.${field.name}`);
    if (access === undefined && roots.includes(type)) {
      throw new Error(`${type.name}.${field.name} needs @auth or @public: say who may call it`);
    }
    accessOfField.set(field, access);
    if (access !== undefined && access !== 'public') guard(field, access);
  }
}

function readAccess(schema: GraphQLSchema, field: Field, name: string): Access {
  const auth = directiveValues(schema, 'auth', field);
  const open = directiveValues(schema, 'public', field);
  if (auth && open) throw new Error(`${name} has both @auth and @public: choose one`);
  if (open) return 'public';
  if (!auth) return undefined;
  const { scope, or, role } = auth;
  if (scope != null && !isScope(scope)) throw new Error(`${name} requires an unknown scope: ${scope}`);
  if (or != null && (scope == null || !isScope(or)))
    throw new Error(`${name} accepts an unknown scope: ${or}`);
  if (role != null && !isRole(role)) throw new Error(`${name} requires an unknown role: ${role}`);
  return { ...(scope != null && { scope }), ...(or != null && { or }), ...(role != null && { role }) };
}

/** Returns the caller if it meets a requirement. @throws ApiError why the credentials were rejected, or what they lack. */
export function authorizeCaller(
  { principal, refusal }: Pick<Caller, 'principal' | 'refusal'>,
  requirement?: Requirement,
): Principal {
  if (refusal) throw refusal;
  authorize(principal, requirement);
  return principal;
}

function guard(field: Field, requirement: Requirement): void {
  const check = (_args: unknown, context: Context) => authorizeCaller(context, requirement);
  field.resolve = runAfter(check, field.resolve);
  if (field.subscribe) field.subscribe = runAfter(check, field.subscribe);
}
