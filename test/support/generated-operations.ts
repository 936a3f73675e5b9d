/** Every root field and every operation of a route as something that can be asked with generated values. */
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
import { snakeCase } from '../../src/rest/compile/names.ts';
import type { Route } from '../../src/rest/index.ts';
import type { TestApp } from './app.ts';
import { codesOf, type ErrorBody } from './client.ts';
import {
  type Choose,
  type GeneratedValues,
  generate,
  type Included,
  type Input,
  type Slot,
} from './generated-inputs.ts';
import { distinctRoutes, type RootField, rootFields, routeName, schema } from './operations.ts';

/** What came back, in words that both doors share. */
export interface Reaction {
  /** The code of the refusal; `nothing` where the graph says null, `answered` where the operation was carried out. */
  readonly code: string;
  /** Where the details of a refusal point. */
  readonly paths: readonly string[];
  /** All that was sent back. */
  readonly text: string;
}

export interface Operation {
  readonly name: string;
  readonly reads: boolean;
  generate(choose: Choose, included?: Included): GeneratedValues;
  ask(app: TestApp, values: GeneratedValues['values'], headers: Record<string, string>): Promise<Reaction>;
}

/** Subscriptions are answered on other doors, which test/streams knows. */
const isAnswered = ({ operation }: RootField) => operation !== 'subscription';

/** The argument for the key of a change, which is another each time. */
const KEY = 'idempotencyKey';

export const operations: readonly Operation[] = [
  ...rootFields.filter(isAnswered).map(ofField),
  ...distinctRoutes.map(ofRoute),
];

/** Levels of objects below the root field that are selected: enough to come back to what was left. */
const DEPTH = 3;

function ofField({ name, operation, field }: RootField): Operation {
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
      // The document is the same each time, so that the server knows it.
      const given = takesKey ? { ...values, [KEY]: randomUUID() } : values;
      const used = field.args.filter((argument) => argument.name in given);
      const variables = used.map((argument) => `$${argument.name}: ${argument.type}`).join(', ');
      const passed = used.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
      const call = `${field.name}${passed && `(${passed})`} ${selectionOf(field.type, DEPTH)}`;
      const document = `${operation} ${variables && `(${variables})`} { ${call} }`;
      const answer = await app.graphql(document, given, { headers });
      const [error] = answer.body.errors ?? [];
      const isNothing = Object.values(answer.body.data ?? {}).every((value) => value === null);
      return {
        code: codesOf(answer)[0] ?? (isNothing ? 'nothing' : 'answered'),
        paths: (error?.extensions.details ?? []).map(({ path }) => path),
        text: answer.text,
      };
    },
  };
}

/** Selections that were written, by type and depth: they are long, and the same for each request of a field. */
const selections = new Map<string, string>();

/** Everything that can be selected without arguments, so that whatever leaks is seen. */
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
    throw new Error(`Teach this file to select from ${named.name}, which is a union.`);
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
  const variables = (route.operation.definition.variableDefinitions ?? []).map((node) => {
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
      // The client of a route knows the members of the body, and not the variable that takes them all.
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
      const answer = await app.request(method, `${filled}${query.size > 0 ? `?${query}` : ''}`, {
        headers: { ...headers, ...(!isRead && { 'idempotency-key': randomUUID() }) },
        ...(hasBody && { body: body ? rest[body.name] : rest }),
      });
      if (answer.status < 300) return { code: 'answered', paths: [], text: answer.text };
      const { code, details } = (answer.body as ErrorBody).error;
      return { code, paths: (details ?? []).map((detail) => detail.path), text: answer.text };
    },
  };
}

/** What a descending sort is called in a query, where the schema has the name of an enum's value. */
const inQuery = (value: unknown) => String(value).replace(/^(\w+)_desc$/, '-$1');

function variableType({ type }: VariableDefinitionNode): GraphQLInputType {
  // The document was validated when the route was made, so that the type exists and is an input type.
  return typeFromAST(schema, type as NamedTypeNode) as GraphQLInputType;
}
