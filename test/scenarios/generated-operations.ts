/** All root fields and all routes as operations that can be called with generated values. */
import { randomUUID } from 'node:crypto';
import {
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type NamedTypeNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import type { Route } from '../../src/rest/compile/route.ts';
import { snakeCase } from '../../src/rest/compile/spelling.ts';
import { distinctRoutes, type RootField, rootFields, routeName, schema } from '../support/api.ts';
import type { TestApp } from '../support/app.ts';
import { codesOf, type ErrorBody } from '../support/client.ts';
import {
  type Choose,
  type GeneratedValues,
  generate,
  type Included,
  type Input,
  type Slot,
} from './generated-inputs.ts';

/** The outcome of an operation, in a format that both doors share. */
export interface Reaction {
  /** The error code; `nothing` if GraphQL returned null, `answered` if the operation succeeded. */
  readonly code: string;
  /** The paths in the details of an error. */
  readonly paths: readonly string[];
  /** The raw response body. */
  readonly text: string;
}

export interface Operation {
  readonly name: string;
  readonly reads: boolean;
  generate(choose: Choose, included?: Included): GeneratedValues;
  ask(app: TestApp, values: GeneratedValues['values'], headers: Record<string, string>): Promise<Reaction>;
}

/** Subscriptions use other doors, which test/streams tests. */
const isAnswered = ({ operation }: RootField) => operation !== 'subscription';

/** The argument for the idempotency key, which is new for each call. */
const KEY = 'idempotencyKey';

/** Selected levels of objects below the root field: enough to get back to the type of the root field. */
const DEPTH = 3;

/** The operations, with this many levels of objects below the root field. Documents of three take most of the time of a test. */
export const operationsWith = (depth: number): readonly Operation[] => [
  ...rootFields.filter(isAnswered).map((root) => ofField(root, depth)),
  ...distinctRoutes.map(ofRoute),
];

export const operations = operationsWith(DEPTH);

function ofField({ name, operation, field }: RootField, depth: number): Operation {
  const args = field.args.filter(({ name: argument }) => argument !== KEY);
  const takesKey = args.length < field.args.length;
  const inputs: Input[] = args.map((argument) => ({
    name: argument.name,
    type: argument.type,
    declared: argument,
  }));
  return {
    name,
    reads: operation === 'query',
    generate: (choose, included) => generate(inputs, choose, included),
    async ask(app, values, headers) {
      // The document is the same for each call, so that the server has cached it.
      const given = takesKey ? { ...values, [KEY]: randomUUID() } : values;
      const used = field.args.filter((argument) => argument.name in given);
      const variables = used.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
      const passed = used.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
      const call = `${field.name}${passed && `(${passed})`} ${selectionOf(field.type, depth)}`;
      const document = `${operation} ${variables && `(${variables})`} { ${call} }`;
      const response = await app.graphql(document, given, { headers });
      const [error] = response.body.errors ?? [];
      const isNothing = Object.values(response.body.data ?? {}).every((value) => value === null);
      return {
        code: codesOf(response)[0] ?? (isNothing ? 'nothing' : 'answered'),
        paths: (error?.extensions.details ?? []).map(({ path }) => path),
        text: response.text,
      };
    },
  };
}

/** A cache of selections by type and depth, which are long and used for many requests. */
const selections = new Map<string, string>();

/** Selects all fields without required arguments, so that a leak is visible in the response. */
export function selectionOf(type: GraphQLOutputType, depth: number): string {
  const key = `${getNamedType(type).name} ${depth}`;
  const known = selections.get(key) ?? writeSelection(type, depth);
  selections.set(key, known);
  return known;
}

function writeSelection(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named) && !isInterfaceType(named))
    throw new Error(`Unions such as ${named.name} are not supported here.`);
  return `{ ${fieldsOf(named, depth).join(' ')} }`;
}

function fieldsOf(type: GraphQLObjectType | GraphQLInterfaceType, depth: number): string[] {
  return Object.values(type.getFields()).flatMap((field) => {
    if (
      field.args.some(
        ({ type: argument, defaultValue }) => isNonNullType(argument) && defaultValue === undefined,
      )
    ) {
      return [];
    }
    if (isLeafType(getNamedType(field.type))) return [field.name];
    return depth > 0 ? [`${field.name} ${selectionOf(field.type, depth - 1)}`] : [];
  });
}

function ofRoute(route: Route): Operation {
  const { method, path } = route;
  const isRead = method === 'GET';
  const variables = (route.document.definition.variableDefinitions ?? []).map((node) => {
    const has = (directive: string) => node.directives?.some(({ name }) => name.value === directive) ?? false;
    return {
      name: node.variable.name.value,
      type: variableType(node),
      isBody: has('body'),
      isHeader: has('ifMatch') || has('idempotencyKey'),
    };
  });
  const inputs = variables.filter(({ isHeader }) => !isHeader);
  const body = inputs.find(({ isBody }) => isBody);
  return {
    name: routeName(route),
    reads: isRead,
    generate: (choose, included) => {
      // Clients of a route send the members of the body, without the name of the variable for the whole body.
      const outside = (slot: Slot): Slot =>
        body && slot.path.startsWith(`${body.name}.`)
          ? { ...slot, path: slot.path.slice(body.name.length + 1) }
          : slot;
      const made = generate(inputs, (slot) => choose(outside(slot)), included, snakeCase);
      return { ...made, slots: made.slots.map(outside) };
    },
    async ask(app, values, headers) {
      const rest = { ...values };
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
        const value = rest[name];
        delete rest[name];
        return encodeURIComponent(String(value));
      });
      const hasBody = method !== 'GET' && method !== 'DELETE';
      const query = new URLSearchParams();
      if (!hasBody) for (const [name, value] of Object.entries(rest)) query.set(name, inQuery(value));
      const response = await app.request(method, `${filled}${query.size > 0 ? `?${query}` : ''}`, {
        headers: { ...headers, ...(!isRead && { 'idempotency-key': randomUUID() }) },
        ...(hasBody && { body: body ? rest[body.name] : rest }),
      });
      if (response.status < 300) return { code: 'answered', paths: [], text: response.text };
      const { code, details } = (response.body as ErrorBody).error;
      return { code, paths: (details ?? []).map((detail) => detail.path), text: response.text };
    },
  };
}

/** Converts the enum value of a descending sort to its spelling in query parameters. */
const inQuery = (value: unknown) => String(value).replace(/^(\w+)_desc$/, '-$1');

function variableType({ type }: VariableDefinitionNode): GraphQLInputType {
  // The document was validated when the route was created, so the type exists and is an input type.
  return typeFromAST(schema, type as NamedTypeNode) as GraphQLInputType;
}
