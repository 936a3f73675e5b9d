import {
  type FieldNode,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import { reasonOf } from '../../core/failure.ts';
import type { SignatureScheme } from '../../core/signatures.ts';
import type { Field } from '../../graphql/field.ts';
import { makeOperation, type Operation as PipelineOperation } from '../../pipeline/operation.ts';
import type { OperationPrice, Pricing } from '../../pipeline/price/pricing.ts';
import { createExport, type Export } from '../export/export.ts';
import { createTranslation, fillingsOf } from '../handle/arguments.ts';
import { createBinding, type Variable } from '../handle/binding.ts';
import { createHandler, type Handler } from '../handle/handler.ts';
import { readCursorList } from './cursor-list.ts';
import { type RouteDeprecation, readMove, readRouteDeprecation } from './deprecated-route.ts';
import { DocumentError, type Operation } from './documents.ts';
import { readView, type View } from './view.ts';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One method of one path: an operation document, made ready to be called. */
export interface Route {
  readonly operation: Operation;
  readonly method: RouteMethod;
  /** With its variables in braces: `/v1/orders/{order_id}`. */
  readonly path: string;
  /** Former paths, which return 301 to `path`. */
  readonly movedFrom: readonly string[];
  /** When those go, undefined while they stay. */
  readonly moved: RouteDeprecation | undefined;
  /** When it goes and what takes its place, undefined for a route that stays. */
  readonly deprecation: RouteDeprecation | undefined;
  readonly status: number;
  /** The Location of the response, with members of the body or variables of the path in braces. */
  readonly location: string | undefined;
  /** Whether no cache may keep the response. */
  readonly secret: boolean;
  /** How the request must be signed; undefined for one that need not be. */
  readonly signed: SignatureScheme | undefined;
  /** Whether a request without an idempotency key is to be given one, which its response then names. */
  readonly makesKeys: boolean;
  /** Whether it is a route of /v1 that responses here as well, unchanged. */
  readonly carriedOver: boolean;
  /** What the route does, where the description of its root field says more, or less, than that. */
  readonly summary: string | undefined;
  /** The one field of the schema whose value the route answers with. */
  readonly root: RootField;
  readonly variables: readonly Variable[];
  readonly hasBody: boolean;
  readonly view: View;
  /** What it costs, in points. */
  readonly price: OperationPrice;
  readonly handle: Handler;
  /** Its whole list, for a route with a list by cursor; undefined for any other. */
  readonly export: Export | undefined;
}

/** The root field of a route: what the schema says of it, and how the document selects it. */
export interface RootField {
  readonly node: FieldNode;
  readonly field: Field;
}

/** The arguments of `@rest`, as directives.graphql declares them. */
interface RestArguments {
  readonly method: RouteMethod;
  readonly path: string;
  readonly status: number;
  readonly location?: string | null;
  readonly movedFrom?: readonly string[] | null;
  readonly movedSince?: string | null;
  readonly signed?: SignatureScheme | null;
  readonly summary?: string | null;
}

const PATH = /^(\/([\w.-]+|\{\w+\}))+$/;

/**
 * Makes an operation a route.
 *
 * @param schema the schema with the REST directives.
 * @param executable the same schema as it is executed.
 * @param pricing what operations of that schema cost.
 * @param readable the paths that a query answers.
 * @throws DocumentError when the operation cannot be one.
 */
export function createRoute(
  schema: GraphQLSchema,
  executable: GraphQLSchema,
  pricing: Pricing,
  operation: Operation,
  readable: ReadonlySet<string>,
): Route {
  const { definition } = operation;
  const rest = readRest(schema, operation);
  const isRead = definition.operation === OperationTypeNode.QUERY;
  if (isRead !== (rest.method === 'GET')) {
    throw new DocumentError(
      definition,
      isRead
        ? `${operation.name} is a query, and ${rest.method} would promise a change. Make it a mutation or use GET.`
        : `${operation.name} is a mutation, and a GET must change nothing. Use POST, PUT, PATCH or DELETE.`,
    );
  }
  const node = rootNode(operation);
  const field = rootField(executable, operation, node);
  refuseConditions(operation);
  const view = readView(schema, operation, node, field.type);
  const hasBody = rest.method !== 'GET' && rest.method !== 'DELETE';
  const parameters = parametersOf(rest.path);
  const binding = createBinding(schema, definition, {
    pathParameters: parameters,
    hasBody,
    hasRepresentation: isRead ? undefined : readable.has(rest.path),
  });
  checkPaths(operation, rest, view);
  refuseLostAbsence(node, binding.variables);
  const deprecation = readRouteDeprecation(schema, operation, parameters);
  refuseDeepVariables(node, definition);
  const runnable = makeRunnable(executable, pricing, operation);
  const translate = createTranslation(node, binding.variables);
  const list = isRead ? readCursorList(operation, node, field, view) : undefined;
  return {
    operation,
    method: rest.method,
    path: rest.path,
    movedFrom: rest.movedFrom ?? [],
    moved: readMove(operation, rest.path, rest.movedSince),
    deprecation,
    status: rest.status,
    location: rest.location ?? undefined,
    signed: rest.signed ?? undefined,
    secret: runnable.selectsSecret,
    makesKeys: binding.variables.some(({ madeUp }) => madeUp),
    carriedOver: false,
    summary: rest.summary ?? undefined,
    root: { node, field },
    variables: binding.variables,
    hasBody,
    view,
    price: runnable.price,
    handle: createHandler({
      operation: runnable,
      isRead,
      view,
      status: rest.status,
      location: rest.location ?? undefined,
      binding,
      translate,
    }),
    export: list && createExport({ operation: runnable, binding, view, list, translate }),
  };
}

/** The names in braces in a path. */
export function parametersOf(path: string): ReadonlySet<string> {
  return new Set([...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []));
}

/** What `@rest` says about an operation. @throws DocumentError when it says nothing, or something that cannot be. */
export function readRest(schema: GraphQLSchema, { name, definition }: Operation): RestArguments {
  const directive = definition.directives?.find((candidate) => candidate.name.value === 'rest');
  const declaration = schema.getDirective('rest');
  if (!directive || !declaration) {
    throw new DocumentError(definition, `${name} is not a route yet: add @rest(method: …, path: "…").`);
  }
  if (directive.arguments?.some(({ value }) => value.kind === Kind.VARIABLE)) {
    throw new DocumentError(directive, 'A route is the same for every request: @rest takes no variables.');
  }
  // The document was validated, so that the values have the types that the directive declares.
  const rest = getArgumentValues(declaration, directive) as unknown as RestArguments;
  for (const path of [rest.path, ...(rest.movedFrom ?? []), ...(rest.location ? [rest.location] : [])]) {
    if (!PATH.test(path)) {
      throw new DocumentError(directive, `"${path}" is not a path such as "/v1/orders/{order_id}".`);
    }
    const names = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name);
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice) throw new DocumentError(directive, `"${path}" has ${twice} twice.`);
  }
  if (rest.status < 200 || rest.status > 299) {
    throw new DocumentError(directive, `${rest.status} is not a status of success.`);
  }
  return rest;
}

/** The one root field, as the document selects it. */
export function rootNode({ name, definition }: Operation): FieldNode {
  const [first, ...others] = definition.selectionSet.selections;
  if (others[0]) {
    throw new DocumentError(
      others[0],
      `${name} selects more than one root field, and a route answers with the value of one. Split it into two routes.`,
    );
  }
  if (first?.kind !== Kind.FIELD) {
    throw new DocumentError(
      first ?? definition,
      `${name} must select its root field directly, without a fragment.`,
    );
  }
  return first;
}

/** The same, as the schema has it. */
export function rootField(schema: GraphQLSchema, { definition }: Operation, node: FieldNode): Field {
  const field = schema.getRootType(definition.operation)?.getFields()[node.name.value];
  if (!field) throw new DocumentError(node, `A route cannot answer with ${node.name.value}.`);
  return field;
}

/** The response of a route has one shape, which its schema in OpenAPI describes. */
function refuseConditions({ document }: Operation): void {
  visit(document, {
    Directive(node) {
      if (node.name.value === 'skip' || node.name.value === 'include') {
        throw new DocumentError(
          node,
          `@${node.name.value} has no place here: a route answers with one shape.`,
        );
      }
    },
  });
}

function checkPaths(
  operation: Operation,
  { path, location, movedFrom, status }: RestArguments,
  view: View,
): void {
  const shown = view.bodySchema.properties ?? {};
  const inPath = parametersOf(path);
  for (const name of parametersOf(location ?? '')) {
    const type = shown[name]?.type;
    if (!inPath.has(name) && type !== 'integer' && type !== 'string') {
      throw new DocumentError(
        operation.definition,
        `The location has {${name}}, which is neither a variable of the path nor a number or text that the body always has.`,
      );
    }
  }
  if (location && status === 204) {
    throw new DocumentError(operation.definition, 'A 204 has no body to take the location from.');
  }
  for (const former of movedFrom ?? []) {
    for (const name of parametersOf(path).difference(parametersOf(former))) {
      throw new DocumentError(
        operation.definition,
        `"${former}" lacks {${name}}, so it cannot lead to ${path}.`,
      );
    }
  }
}

/** graphql-jit passes a variable on as null that was left out of an object, and null may mean something else. */
function refuseLostAbsence(root: FieldNode, variables: readonly Variable[]): void {
  for (const { path, node } of fillingsOf(root)) {
    const variable = variables.find(({ name }) => name === node.name.value);
    if (path.includes('.') && variable && !variable.required && !variable.node.defaultValue) {
      throw new DocumentError(
        node,
        `$${variable.name} may be left out, which cannot be distinguished from null inside an object. Bind the object with @body.`,
      );
    }
  }
}

/** The argument that a variable fills says what is wrong with the value, and only arguments of the root field are known by name. */
function refuseDeepVariables(root: FieldNode, { variableDefinitions = [] }: OperationDefinitionNode): void {
  const filling = new Set(fillingsOf(root).map(({ node }) => node.name.value));
  for (const { variable } of variableDefinitions) {
    if (filling.has(variable.name.value)) continue;
    throw new DocumentError(variable, `$${variable.name.value} fills no argument of the root field.`);
  }
}

/**
 * The operation as the pipeline runs it.
 *
 * @throws DocumentError when it cannot be compiled, or is too expensive with whatever variables: it would never be answered.
 */
export function makeRunnable(
  schema: GraphQLSchema,
  pricing: Pricing,
  { document, definition, name }: Operation,
): PipelineOperation {
  const operation = makeOperation({ schema, pricing }, document, definition);
  try {
    operation.price.requested({});
  } catch (error) {
    throw new DocumentError(definition, reasonOf(error), { cause: error });
  }
  // A route writes what compiled code gives.
  if (operation.compiled === operation.interpreted) {
    throw new DocumentError(definition, `${name} cannot be compiled.`);
  }
  return operation;
}
