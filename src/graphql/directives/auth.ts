import { defaultFieldResolver, type GraphQLSchema, getDirectiveValues, isObjectType } from 'graphql';
import type { Caller } from '../../../resolvers/shared/context.ts';
import { authorize, isRole, isScope, type Requirement } from '../../auth/policy.ts';
import type { Field } from '../field.ts';

/** What `@auth` may name. */
export { SCOPES } from '../../auth/policy.ts';

/** What a field asks of its caller. `public` means nothing, undefined that the field says nothing of its own. */
export type Access = Requirement | 'public' | undefined;

const accessOfField = new WeakMap<Field, Access>();

/** What `@auth` and `@public` say about a field of a schema that has been through {@link enforceAuth}. */
export function accessOf(field: Field): Access {
  return accessOfField.get(field);
}

/**
 * Makes every field with `@auth` check its caller before its resolver runs.
 *
 * @throws Error when a root field has neither `@auth` nor `@public`, or both, or names a scope that is not known. An
 *   oversight here would be an open door, so it stops the boot.
 */
export function enforceAuth(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const access = readAccess(schema, field, `${type.name}.${field.name}`);
      if (access === undefined && roots.includes(type)) {
        throw new Error(`${type.name}.${field.name} needs @auth or @public: say who may call it`);
      }
      accessOfField.set(field, access);
      if (access !== undefined && access !== 'public') guard(field, access);
    }
  }
}

function readAccess(schema: GraphQLSchema, field: Field, name: string): Access {
  if (!field.astNode) return undefined;
  const directive = (directiveName: string) => {
    const definition = schema.getDirective(directiveName);
    if (!definition) throw new Error(`The schema does not define @${directiveName}`);
    return getDirectiveValues(definition, field.astNode as NonNullable<typeof field.astNode>);
  };
  const auth = directive('auth');
  const open = directive('public');
  if (auth && open) throw new Error(`${name} has both @auth and @public: choose one`);
  if (open) return 'public';
  if (!auth) return undefined;
  const { scope, role } = auth;
  if (scope != null && !isScope(scope))
    throw new Error(`${name} asks for a scope that is not known: ${scope}`);
  if (role != null && !isRole(role)) throw new Error(`${name} asks for a role that is not known: ${role}`);
  return { ...(scope != null && { scope }), ...(role != null && { role }) };
}

/**
 * Lets a caller pass who fulfils the requirement.
 *
 * @throws ApiError why the credentials are of no use, or what they lack.
 */
export function authorizeCaller(
  { principal, refusal }: Pick<Caller, 'principal' | 'refusal'>,
  requirement: Requirement | undefined,
): void {
  if (refusal) throw refusal;
  authorize(principal, requirement);
}

function guard(field: Field, requirement: Requirement): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, context, info) => {
    authorizeCaller(context, requirement);
    return resolve(source, args, context, info);
  };
  const { subscribe } = field;
  if (!subscribe) return;
  field.subscribe = (source, args, context, info) => {
    authorizeCaller(context, requirement);
    return subscribe(source, args, context, info);
  };
}
