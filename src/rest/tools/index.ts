/** Routes as tools of agents. A tool is the operation of a route with its inputs as one object of arguments. */
import type { GraphQLSchema } from 'graphql';
import { ApiError } from '../../core/errors.ts';
import { accessOf, authorizeCaller } from '../../graphql/directives/auth.ts';
import { requiresKey } from '../../graphql/directives/idempotent.ts';
import { takesSecret } from '../../graphql/directives/secret.ts';
import type { Caller, Context } from '../../pipeline/context.ts';
import { DocumentError } from '../compile/documents.ts';
import type { Route, RouteMethod } from '../compile/route.ts';
import { snakeCase } from '../compile/spelling.ts';
import type { RestResponse } from '../handle/handler.ts';
import { Inputs } from '../openapi/inputs.ts';
import { requirementsOf, selectedFields } from '../openapi/refusals.ts';
import { flowing } from '../openapi/shapes.ts';
import type { Schema } from '../openapi/types.ts';
import { inputSchemaOf, requestOf, type ToolArguments } from './arguments.ts';

export interface Tool {
  /** The name of the operation in snake_case: `get_order`. */
  readonly name: string;
  /** The name for people: `Get order`. */
  readonly title: string;
  readonly description: string;
  /** The schema of the arguments, without references. */
  readonly inputSchema: Schema;
  /** The schema of the result; undefined for a tool that returns nothing. */
  readonly outputSchema: Schema | undefined;
  readonly isReadOnly: boolean;
  /** Whether it changes or removes what exists. */
  readonly isDestructive: boolean;
  /** Whether a repeated call with the same arguments changes nothing more. */
  readonly isIdempotent: boolean;
  readonly scopes: readonly string[];
  /** Whether the caller's scopes and role permit it. Rules that depend on a row are checked when it runs. */
  permits(caller: Caller): boolean;
  /** Runs the operation. @throws ApiError as the route does. */
  call(args: ToolArguments, context: Context): Promise<RestResponse>;
}

/** Creates the tools of the routes. @throws DocumentError for tools or arguments that would have the same name. */
export function createTools(schema: GraphQLSchema, routes: readonly Route[]): Tool[] {
  const inputs = new Inputs(schema, new InlineComponents());
  const tools = new Map<string, Tool>();
  for (const route of routes.filter(isForAgents)) {
    const tool = createTool(route, inputs);
    if (tools.has(tool.name)) {
      throw new DocumentError(route.document.definition, `There is already a tool ${tool.name}.`);
    }
    tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

/**
 * Whether a route is a tool. It is not if a current route replaces or repeats it, if it needs no caller, since agents always have one
 * (sign-in, links in mails, messages of the payment provider), if it takes or returns a credential, which would become part of a
 * conversation, or if it changes who else has access: text that misleads a model must not open the organisation to others.
 */
const isForAgents = (route: Route): boolean =>
  !route.deprecation &&
  !route.carriedOver &&
  accessOf(route.root.field) !== 'public' &&
  !route.operation.selectsSecret &&
  !takesSecret(route.root.field) &&
  !changesAccess(route);

/** Whether it changes members, invitations, keys, certificates, apps, or the receivers of webhooks. */
function changesAccess({ method, root: { field } }: Route): boolean {
  const access = accessOf(field);
  const scope = typeof access === 'object' ? access.scope : undefined;
  return method !== 'GET' && (scope === 'write:users' || Boolean(scope?.startsWith('manage:')));
}

function createTool(route: Route, inputs: Inputs): Tool {
  const { method, document, root, view, status } = route;
  const required = requirementsOf(selectedFields(route));
  const name = snakeCase(document.name).replace(/^_/, '');
  return {
    name,
    title: titleOf(name),
    description: flowing(route.summary ?? route.description ?? titleOf(name)),
    inputSchema: inputSchemaOf(route, inputs),
    outputSchema: status === 204 ? undefined : view.bodySchema,
    isReadOnly: method === 'GET',
    isDestructive: DESTRUCTIVE.includes(method),
    isIdempotent: IDEMPOTENT.includes(method) || requiresKey(root.field),
    scopes: required.flatMap(({ scope }) => (scope === undefined ? [] : [scope])),
    permits: (caller) => isPermitted(caller, required),
    call: (args, context) => route.handle(requestOf(route, args), context),
  };
}

const DESTRUCTIVE: readonly RouteMethod[] = ['PUT', 'PATCH', 'DELETE'];

/** Methods that are idempotent by definition (RFC 9110, section 9.2.2). */
const IDEMPOTENT: readonly RouteMethod[] = ['GET', 'PUT', 'DELETE'];

function isPermitted(caller: Caller, required: ReturnType<typeof requirementsOf>): boolean {
  try {
    for (const access of required) authorizeCaller(caller, access);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Converts the name of a tool to a title: `list_api_keys` becomes `List API keys`. */
const titleOf = (name: string) =>
  name
    .replaceAll('_', ' ')
    .replace(/\bapi\b/, 'API')
    .replace(/^./, (first) => first.toUpperCase());

/** Writes shared schemas where they are used. */
class InlineComponents {
  readonly #open = new Set<string>();

  /** @throws Error for a schema that contains itself, which cannot be written without references. */
  define(name: string, make: () => Schema): Schema {
    if (this.#open.has(name)) throw new Error(`${name} contains itself, so it cannot be an input of a tool.`);
    this.#open.add(name);
    const schema = make();
    this.#open.delete(name);
    return schema;
  }
}
