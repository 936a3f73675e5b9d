import {
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import { reasonOf } from '../../core/failure.ts';
import type { SignatureScheme } from '../../core/signatures.ts';
import { generatesKey } from '../../graphql/directives/idempotent.ts';
import type { Field } from '../../graphql/field.ts';
import { makeOperation, type Operation } from '../../pipeline/operation.ts';
import { type ListSize, listSizeOf } from '../../pipeline/price/prices.ts';
import { type Pricing, requireAllowed } from '../../pipeline/price/pricing.ts';
import { createExport, type Export } from '../export/export.ts';
import { createTranslation, fillingsOf } from '../handle/arguments.ts';
import { createBinding } from '../handle/binding.ts';
import { createHandler, type Handler } from '../handle/handler.ts';
import type { Schema } from '../openapi/types.ts';
import { readCursorList } from './cursor-list.ts';
import { type RouteDeprecation, readFormerPaths, readRouteDeprecation } from './deprecated-route.ts';
import { argumentsOf, DocumentError, directiveOf, type OperationDocument } from './documents.ts';
import { parametersOf } from './spelling.ts';
import type { Variable } from './variables.ts';
import { readView, type View } from './view.ts';

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One method of one path: a compiled operation document. */
export interface Route {
  readonly document: OperationDocument;
  readonly method: RouteMethod;
  /** The path, with its variables in braces: `/v1/orders/{order_id}`. */
  readonly path: string;
  /** Former paths, which redirect (301) to `path`. */
  readonly movedFrom: readonly string[];
  /** The deprecation of the former paths, undefined if they are not deprecated. */
  readonly moved: RouteDeprecation | undefined;
  readonly deprecation: RouteDeprecation | undefined;
  readonly status: number;
  /** The Location of the response, with members of the body or variables of the path in braces. */
  readonly location: string | undefined;
  /** The signature that requests must have, undefined for none. */
  readonly signed: SignatureScheme | undefined;
  /** Whether a request without an idempotency key gets a generated one, which its response then has. */
  readonly generatesKey: boolean;
  /** Whether this is a route of /v1 that /v2 has unchanged. */
  readonly carriedOver: boolean;
  /** What the route does, if the description of its root field does not fit. */
  readonly summary: string | undefined;
  /** The description of the root field, without the sentence about its result if the response has no body. */
  readonly description: string | undefined;
  /** The field of the schema whose value is the body of the response. */
  readonly root: RootField;
  readonly variables: readonly Variable[];
  readonly hasBody: boolean;
  readonly view: View;
  readonly operation: Operation;
  readonly handle: Handler;
  /** The export of the whole list, for a route with cursor pagination; undefined for any other. */
  readonly export: Export | undefined;
}

/** The root field of a route, in the document and in the schema. */
interface RootField {
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
const LOCATION = /^(\/([\w.-]+|\{[\w.]+\}))+$/;

/**
 * Compiles an operation into a route.
 *
 * @param schema the schema with the REST directives; `executable` is without them.
 * @param readable the paths that a query serves.
 * @throws DocumentError if the operation cannot be a route.
 */
export function createRoute(
  schema: GraphQLSchema,
  executable: GraphQLSchema,
  pricing: Pricing,
  document: OperationDocument,
  readable: ReadonlySet<string>,
): Route {
  const { definition } = document;
  const rest = readRest(schema, document);
  const { method, path, status } = rest;
  const location = rest.location ?? undefined;
  const isRead = definition.operation === OperationTypeNode.QUERY;
  const root = rootOf(executable, document);
  const { node, field } = root;
  const view = readView(schema, document, node, field.type);
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const parameters = parametersOf(path);
  const deprecation = readRouteDeprecation(schema, document, parameters);
  const binding = createBinding(schema, definition, root, {
    pathParameters: parameters,
    pageSizes: pageSizesIn(node, listSizeOf(executable, field)),
    hasBody,
    hasRepresentation: isRead ? undefined : readable.has(path),
  });
  const { variables } = binding;
  refuseOtherMethod(document, rest);
  refuseConditions(document);
  checkPaths(document, rest, view);
  refuseLostAbsence(node, variables);
  refuseDeepVariables(node, definition);
  const operation = makeRouteOperation(executable, pricing, document);
  const parts = { operation, binding, view, translate: createTranslation(node, variables) };
  const list = isRead ? readCursorList(document, node, field, view) : undefined;
  return {
    document,
    method,
    path,
    movedFrom: rest.movedFrom ?? [],
    moved: readFormerPaths(document, path, rest.movedSince),
    deprecation,
    status,
    location,
    signed: rest.signed ?? undefined,
    generatesKey:
      variables.some(({ generated }) => generated) ||
      (generatesKey(field) && variables.some(({ source }) => source === 'idempotencyKey')),
    carriedOver: false,
    summary: rest.summary ?? undefined,
    description: (status === 204 ? withoutResult(field) : field.description) ?? undefined,
    root,
    variables,
    hasBody,
    view,
    operation,
    handle: createHandler({ ...parts, isRead, status, location }),
    export: list && createExport({ ...parts, list }),
  };
}

/** Returns a description without its last sentence, if that says what the field returns. */
const withoutResult = ({ description }: Field) => description?.replace(/\s+Returns\s[^.]*\.\s*$/, '');

function refuseOtherMethod({ name, definition }: OperationDocument, { method }: RestArguments): void {
  const isRead = definition.operation === OperationTypeNode.QUERY;
  if (isRead === (method === 'GET')) return;
  throw new DocumentError(
    definition,
    isRead
      ? `${name} is a query, and ${method} would promise a change. Make it a mutation or use GET.`
      : `${name} is a mutation, and a GET must change nothing. Use POST, PUT, PATCH or DELETE.`,
  );
}

/** Returns the names of the variables that limit the length of a list. */
function pageSizesIn(node: FieldNode, size: ListSize | undefined): ReadonlySet<string> {
  const slicing = new Set(size?.slicing.map((path) => path.join('.')));
  const fillings = fillingsOf(node).filter(({ path }) => slicing.has(path));
  return new Set(fillings.map((filling) => filling.node.name.value));
}

/** Reads the arguments of an operation's `@rest`. @throws DocumentError if the directive is missing or invalid. */
export function readRest(schema: GraphQLSchema, { name, definition }: OperationDocument): RestArguments {
  const directive = directiveOf(definition, 'rest');
  if (!directive) {
    throw new DocumentError(definition, `${name} is not a route yet: add @rest(method: …, path: "…").`);
  }
  const rest = argumentsOf<RestArguments>(schema, directive, 'A route');
  const { path: own, movedFrom, location } = rest;
  for (const path of [own, ...(movedFrom ?? []), ...(location ? [location] : [])]) {
    if (!(path === location ? LOCATION : PATH).test(path)) {
      throw new DocumentError(directive, `"${path}" is not a path such as "/v1/orders/{order_id}".`);
    }
    const names = [...path.matchAll(/\{[\w.]+\}/g)].map(([name]) => name);
    const twice = names.find((name, index) => names.indexOf(name) < index);
    if (twice) throw new DocumentError(directive, `"${path}" has ${twice} twice.`);
  }
  if (rest.status < 200 || rest.status > 299) {
    throw new DocumentError(directive, `${rest.status} is not a status of success.`);
  }
  return rest;
}

/** Returns the only root field of an operation, in the document and in the schema. */
export function rootOf(schema: GraphQLSchema, { name, definition }: OperationDocument): RootField {
  const [first, ...others] = definition.selectionSet.selections;
  if (others[0]) {
    throw new DocumentError(
      others[0],
      `${name} selects more than one root field, but a route returns the value of one. Split it into two routes.`,
    );
  }
  if (first?.kind !== Kind.FIELD) {
    throw new DocumentError(
      first ?? definition,
      `${name} must select its root field directly, without a fragment.`,
    );
  }
  const field = schema.getRootType(definition.operation)?.getFields()[first.name.value];
  if (!field) throw new DocumentError(first, `A route cannot return ${first.name.value}.`);
  return { node: first, field };
}

/** Refuses @skip and @include: the response of a route has one shape, which its schema in OpenAPI describes. */
function refuseConditions({ document }: OperationDocument): void {
  visit(document, {
    Directive(node) {
      if (node.name.value === 'skip' || node.name.value === 'include') {
        throw new DocumentError(
          node,
          `@${node.name.value} is not allowed: the response of a route has one shape.`,
        );
      }
    },
  });
}

function checkPaths(
  document: OperationDocument,
  { path, location, movedFrom, status }: RestArguments,
  view: View,
): void {
  const inPath = parametersOf(path);
  for (const name of parametersOf(location ?? '')) {
    const { type } = memberIn(view.bodySchema, name) ?? {};
    if (!inPath.has(name) && type !== 'integer' && type !== 'string') {
      throw new DocumentError(
        document.definition,
        `The location has {${name}}, which is neither a variable of the path nor an integer or string that the body always has.`,
      );
    }
  }
  if (location && status === 204) {
    throw new DocumentError(document.definition, 'A 204 has no body to take the location from.');
  }
  for (const former of movedFrom ?? []) {
    for (const name of parametersOf(path).difference(parametersOf(former))) {
      throw new DocumentError(
        document.definition,
        `"${former}" lacks {${name}}, so it cannot redirect to ${path}.`,
      );
    }
  }
}

/** The member of a body with this path, such as `refund.id`. */
const memberIn = (body: Schema, path: string): Schema | undefined =>
  path.split('.').reduce<Schema | undefined>((schema, name) => schema?.properties?.[name], body);

/** Refuses optional variables inside objects: graphql-jit passes an omitted one on as null, which may have another meaning. */
function refuseLostAbsence(root: FieldNode, variables: readonly Variable[]): void {
  for (const { path, node } of fillingsOf(root)) {
    const variable = variables.find(({ name }) => name === node.name.value);
    if (path.includes('.') && variable && !variable.required && !variable.node.defaultValue) {
      throw new DocumentError(
        node,
        `$${variable.name} is optional, but inside an object its absence cannot be distinguished from null. Give it a default, such as null, or bind the object with @body.`,
      );
    }
  }
}

/** Refuses variables below the root field: errors name an argument, and only the root field's arguments map to variables. */
function refuseDeepVariables(root: FieldNode, { variableDefinitions = [] }: OperationDefinitionNode): void {
  const filling = new Set(fillingsOf(root).map(({ node }) => node.name.value));
  for (const { variable } of variableDefinitions) {
    if (filling.has(variable.name.value)) continue;
    throw new DocumentError(variable, `$${variable.name.value} fills no argument of the root field.`);
  }
}

/**
 * Makes an operation for the pipeline. It is compiled by its first request: all routes together would delay the start.
 *
 * @throws DocumentError if it cannot be compiled, or is too expensive even for lists of one row, so that it could never run.
 */
export function makeRouteOperation(
  schema: GraphQLSchema,
  pricing: Pricing,
  { document, definition, name }: OperationDocument,
): Operation {
  const operation = makeOperation({ schema, pricing, areOwn: true }, document, definition);
  try {
    requireAllowed(operation.price, operation.price.least);
  } catch (error) {
    throw new DocumentError(definition, reasonOf(error), { cause: error });
  }
  // A route serialises the results of compiled code.
  if (!operation.isCompilable) {
    throw new DocumentError(definition, `${name} cannot be compiled.`);
  }
  return operation;
}
