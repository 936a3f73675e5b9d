import {
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { CATALOGUE, type ErrorCode } from '../../core/errors.ts';
import { fieldsIn, fragmentsOf } from '../../core/selections.ts';
import { type Access, accessOf } from '../../graphql/directives/auth.ts';
import { errorsOf } from '../../graphql/directives/errors.ts';
import { requiresKey } from '../../graphql/directives/idempotent.ts';
import type { Field } from '../../graphql/field.ts';
import type { Route } from '../compile/route.ts';
import { parametersOf } from '../compile/spelling.ts';
import type { StreamRoute } from '../handle/stream-route.ts';

/** A field that a document selects, at any depth. */
export interface Selected {
  readonly field: Field;
  readonly access: Access;
}

/** Returns the fields that a route selects, its root first, each with its access rule. */
export function selectedFields({ root, document }: Route): Selected[] {
  const fragments = fragmentsOf(document.document);
  const collect = (field: Field, { selectionSet }: FieldNode): Selected[] => {
    const type = getNamedType(field.type);
    const hasFields = isObjectType(type) || isInterfaceType(type);
    const inner = hasFields
      ? fieldsIn(selectionSet, fragments).flatMap((node) => {
          const child = type.getFields()[node.name.value];
          return child ? collect(child, node) : [];
        })
      : [];
    return [{ field, access: accessOf(field) }, ...inner];
  };
  return collect(root.field, root.node);
}

/** Returns the rules of the fields that require a caller. */
export const requirementsOf = (selected: readonly Selected[]) =>
  selected.flatMap(({ access }) => (access === undefined || access === 'public' ? [] : [access]));

/** Returns all error codes of a route and of its stream, by status: from its properties, and from `@errors` in the SDL. */
export function refusalsOf(
  schema: GraphQLSchema,
  route: Route,
  stream: StreamRoute | undefined,
): Map<number, ErrorCode[]> {
  const selected = selectedFields(route);
  const codes = new Set<ErrorCode>([
    ...credentialCodes(selected, route.method !== 'GET'),
    ...requestCodes(route),
    ...(!isNonNullType(route.root.field.type) && route.method === 'GET' ? (['not_found'] as const) : []),
    ...selected.flatMap(({ field }) => errorsOf(schema, field)),
    ...(stream ? ([...errorsOf(schema, stream.field), 'too_many_streams'] as const) : []),
    ...(route.export ? (['too_many_exports'] as const) : []),
    ...ALWAYS,
  ]);
  // In the order of the catalogue, which is sorted by status.
  const sorted = (Object.keys(CATALOGUE) as ErrorCode[]).filter((code) => codes.has(code));
  return Map.groupBy(sorted, (code) => CATALOGUE[code].status);
}

const ALWAYS: readonly ErrorCode[] = [
  'malformed_request',
  'unknown_parameter',
  'cost_exceeded',
  'response_too_large',
  'precondition_failed',
  'rate_limited',
  'internal_error',
  'unavailable',
  'overloaded',
  'timeout',
];

function* credentialCodes(selected: readonly Selected[], writes: boolean): Generator<ErrorCode> {
  for (const access of requirementsOf(selected)) {
    yield* ['unauthenticated', 'invalid_token', 'token_expired'] as const;
    if (access.scope !== undefined) yield 'insufficient_scope';
    // A change is also refused if the caller loses its role while it runs.
    if (access.role !== undefined || writes) yield 'insufficient_role';
  }
}

/** Yields the error codes of a request before its operation runs. */
function* requestCodes({ method, path, hasBody, variables, root }: Route): Generator<ErrorCode> {
  if (variables.some(({ source }) => !source.startsWith('body'))) yield 'invalid_parameter';
  // The router rejects a path variable that is longer than any id or name.
  if (parametersOf(path).size > 0) yield 'route_not_found';
  const key = variables.find(({ source }) => source === 'idempotencyKey');
  if (key) {
    yield* ['idempotency_key_reused', 'idempotency_in_progress'] as const;
    if (requiresKey(root.field) && !key.generated) yield 'idempotency_key_required';
  }
  // A body is checked even if none is expected, except with GET.
  if (method !== 'GET') yield* ['invalid_json', 'body_too_large', 'unsupported_media_type'] as const;
  if (hasBody) yield 'validation_failed';
}
