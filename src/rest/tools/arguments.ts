/** The arguments of a tool, which are all inputs of its route as one object: their schema, and the request that they become. */
import { requiresKey } from '../../graphql/directives/idempotent.ts';
import { DocumentError } from '../compile/documents.ts';
import type { Route } from '../compile/route.ts';
import { fillIn } from '../compile/spelling.ts';
import type { Variable, VariableSource } from '../compile/variables.ts';
import type { RestRequest } from '../handle/binding.ts';
import type { Inputs } from '../openapi/inputs.ts';
import { IDEMPOTENCY_KEY, IF_MATCH } from '../openapi/parameters.ts';
import { flowing } from '../openapi/shapes.ts';
import type { Schema } from '../openapi/types.ts';

interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/**
 * Returns the JSON Schema of a tool's arguments, without references, which not all clients resolve.
 *
 * @throws DocumentError if two arguments would have the same name.
 */
export function inputSchemaOf(route: Route, inputs: Inputs): Schema {
  const all = route.variables.flatMap((variable) => argumentsOf(route, variable, inputs));
  const names = all.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) {
    throw new DocumentError(
      route.document.definition,
      `${route.document.name} has two inputs named ${twice}, which a tool cannot distinguish. Rename the variable.`,
    );
  }
  return {
    type: 'object',
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, readable(schema)])),
    required: all.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function argumentsOf(route: Route, variable: Variable, inputs: Inputs): Argument[] {
  const { name, required, source } = variable;
  switch (source) {
    case 'path':
    case 'query':
      return [{ name, required, schema: inputs.ofVariable(route, variable, 'text') }];
    case 'body member':
      return [{ name, required, schema: inputs.ofVariable(route, variable, 'body') }];
    case 'body':
      return membersOf(inputs.ofVariable(route, variable, 'body'));
    case 'idempotencyKey': {
      const { schema, description } = IDEMPOTENCY_KEY;
      return [{ name, required: requiresKey(route.root.field), schema: { ...schema, description } }];
    }
    case 'ifMatch': {
      const description =
        'Changes the resource only if it still has this entity tag, which `_meta` of its last result has. Otherwise the call fails with `precondition_failed`.';
      return [{ name, required: false, schema: { ...IF_MATCH.schema, description } }];
    }
  }
}

function membersOf({ properties = {}, required = [] }: Schema): Argument[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    schema,
  }));
}

const readable = (schema: Schema): Schema =>
  schema.description === undefined ? schema : { ...schema, description: flowing(schema.description) };

export type ToolArguments = Readonly<Record<string, unknown>>;

/**
 * Returns the request for the route of a tool, which checks all values. Arguments that it does not have become members of the body, or
 * parameters of a route without a body: both are refused.
 */
export function requestOf({ path, hasBody, variables }: Route, given: ToolArguments): RestRequest {
  const placed = variables.filter(({ source }) => !source.startsWith('body'));
  const from = (wanted: VariableSource) =>
    placed.flatMap(({ name, source }) => {
      // Null counts as omitted: models write it for arguments that they do not use.
      const value = source === wanted && Object.hasOwn(given, name) ? given[name] : null;
      return value === null ? [] : [[name, asText(value)] as const];
    });
  const header = (source: VariableSource) => from(source).map(([, value]) => textOf(value))[0];
  const others = Object.entries(given).filter(([sent]) => !placed.some(({ name }) => name === sent));
  // As the router's, except that a value which is no text is refused here.
  const params = Object.fromEntries(from('path')) as Record<string, string>;
  return {
    door: 'mcp',
    path: fillIn(path, Object.fromEntries(from('path').map(([name, value]) => [name, textOf(value)]))),
    params,
    query: Object.fromEntries([...from('query'), ...(hasBody ? [] : others)]),
    ifMatch: header('ifMatch'),
    ifNoneMatch: undefined,
    idempotencyKey: header('idempotencyKey'),
    body: hasBody ? Object.fromEntries(others) : undefined,
  };
}

/** Writes a value, or those of a list, as a client of the route would. Objects and nested lists stay as they are, and are refused. */
const asText = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(leafAsText) : leafAsText(value);

function leafAsText(value: unknown): unknown {
  // A large integer as text would otherwise have an exponent, which no parameter may have.
  if (Number.isInteger(value)) return BigInt(Number(value)).toString();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Returns the value of a header or of a path; empty, which no header may be, for a value that is no text. A path is UTF-8. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : '');
