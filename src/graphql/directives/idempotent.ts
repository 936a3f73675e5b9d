import { randomUUID } from 'node:crypto';
import { defaultFieldResolver, type GraphQLResolveInfo, type GraphQLSchema, GraphQLString } from 'graphql';
import type { Context } from '../../../resolvers/shared/context.ts';
import type { Principal } from '../../auth/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { fingerprintsOf, readKey } from '../../idempotency/key.ts';
import { KeyedWork, KeyTaken } from '../../idempotency/keyed-work.ts';
import { type Field, fieldsOfObjects } from '../field.ts';
import { returnsSecret, takesSecret } from './secret.ts';
import { directiveValues } from './values.ts';

type Arguments = Readonly<Record<string, unknown>>;

const keyRequired = new WeakSet<object>();
const keyGenerated = new WeakSet<object>();

/** Whether a mutation requires a key. Call {@link enforceIdempotency} on the schema before. */
export const requiresKey = (field: Field): boolean => keyRequired.has(field);

/** Whether a mutation generates a key for a request without one. Call {@link enforceIdempotency} on the schema before. */
export const generatesKey = (field: Field): boolean => keyGenerated.has(field);

/** The name of the argument for the key. */
const ARGUMENT = 'idempotencyKey';

/** How often the record of a key is read while requests with the key run: again each time one of them has ended. */
const LOOKS = 3;

/**
 * Makes every mutation with `@idempotent` run once per key: a retry gets the first outcome, and concurrent requests get 409.
 *
 * @throws Error if a field with `@idempotent` is not a mutation with `idempotencyKey: String`.
 */
export function enforceIdempotency(schema: GraphQLSchema): void {
  for (const [type, field] of fieldsOfObjects(schema)) {
    const values = directiveValues(schema, 'idempotent', field);
    if (!values) continue;
    const argument = field.args.find(({ name }) => name === ARGUMENT);
    if (type !== schema.getMutationType() || argument?.type !== GraphQLString) {
      throw new Error(
        `${type.name}.${field.name} is @idempotent: it must be a mutation that takes ${ARGUMENT}: String`,
      );
    }
    if (values['required'] === true) keyRequired.add(field);
    if (values['generated'] === true) keyGenerated.add(field);
    guard(field);
  }
}

function guard(field: Field): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  const secrecy = { takes: takesSecret(field), returns: returnsSecret(field) };
  field.resolve = (source, args: Arguments, context, info) => {
    const { [ARGUMENT]: given, ...rest } = args;
    const isGiven = typeof given === 'string';
    const key = isGiven ? readKey(given) : generatedKey(field, context, info);
    if (key === undefined) {
      if (requiresKey(field)) throw new ApiError('idempotency_key_required');
      return context.pendingWork.add(resolve(source, args, context, info));
    }
    const work = workUnder(key, rest, context, { mutation: info.fieldName, isGiven, ...secrecy });
    const outcome = once(work, context, info, () => resolve(source, args, workingWith(context, work), info));
    return context.pendingWork.add(outcome);
  };
}

/** The key of a mutation without one: the key that the door has generated for it, or one that is generated now. */
function generatedKey(field: Field, context: Context, { path }: GraphQLResolveInfo): string | undefined {
  const member = String(path.key);
  return context.generatedKeys?.[member] ?? (generatesKey(field) ? generateKey(context, member) : undefined);
}

/** Generates the key of a mutation by its response member. A door may do that before it runs. Even a failed response has it, for retries. */
export function generateKey(context: Pick<Context, 'generatedKeys'>, member: string): string {
  const key = randomUUID();
  // Without a prototype: a response member may be called `__proto__`.
  context.generatedKeys ??= Object.create(null) as Record<string, string>;
  context.generatedKeys[member] = key;
  return key;
}

/** The context of one mutation. It inherits from the context of the request, so that nothing is copied. */
const workingWith = (context: Context, work: KeyedWork): Context =>
  // The new object has the other members of the context by its prototype.
  Object.create(context, { work: { value: work } }) as Context;

interface KeyedMutation {
  readonly mutation: string;
  /** Whether the client sent the key. */
  readonly isGiven: boolean;
  /** Whether it takes a credential, whose hash its outcome may contain. */
  readonly takes: boolean;
  /** Whether it returns a credential. */
  readonly returns: boolean;
}

function workUnder(
  key: string,
  args: Arguments,
  context: Context,
  { mutation, isGiven, takes, returns }: KeyedMutation,
): KeyedWork {
  const { database, lasting, clock, principal, idempotencySecrets, vault } = context;
  if (!principal) throw new ApiError('unauthenticated');
  // The key belongs to the person or app behind the credentials, so that a retry with another token gets the first outcome.
  const scope = { org: principal.org, principal: keyOwner(principal), mutation, key };
  // A replayed credential must not give its caller more rights than a new one would: only the same scopes match.
  const compared = returns ? { args, scopes: [...principal.scopes].sort() } : args;
  const fingerprints = fingerprintsOf(idempotencySecrets(), compared);
  return new KeyedWork({
    database,
    lasting,
    clock,
    scope,
    fingerprints,
    vault,
    isSecret: takes || returns,
    isRepeatable: isGiven,
  });
}

/** The owner of a key. An app and its person have separate keys, so that the app cannot see outcomes of the person. */
const keyOwner = ({ userId, grant }: Principal): string =>
  grant ? `app:${grant.clientId}:${userId}` : `user:${userId}`;

async function once(
  work: KeyedWork,
  { replayed }: Context,
  { path, parentType, fieldName }: GraphQLResolveInfo,
  resolve: () => unknown,
): Promise<unknown> {
  for (let look = 0; look < LOOKS; look += 1) {
    const outcome = await work.outcome();
    if (outcome) {
      replayed.push(String(path.key));
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    }
    try {
      const value = await resolve();
      if (!work.kept) throw new Error(`${parentType.name}.${fieldName} is @idempotent but stored no outcome`);
      return value;
    } catch (error) {
      if (error instanceof KeyTaken) continue;
      const hadBegun = await work.release();
      // A concurrent request with the key may have caused the refusal: it created the row that this one conflicts with, or
      // changed the password that this one confirms.
      const isRefusal = error instanceof ApiError && !hadBegun && !work.kept;
      if (isRefusal && (await work.outcome())) continue;
      throw error;
    }
  }
  throw new ApiError('idempotency_in_progress', { retryAfter: 1 });
}
