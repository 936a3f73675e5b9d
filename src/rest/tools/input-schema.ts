import { requiresKey } from '../../graphql/directives/idempotent.ts';
import { DocumentError } from '../compile/documents.ts';
import type { Route } from '../compile/route.ts';
import type { Variable } from '../handle/binding.ts';
import type { Inputs } from '../openapi/inputs.ts';
import { IDEMPOTENCY_KEY, IF_MATCH } from '../openapi/parameters.ts';
import { flowing } from '../openapi/prose.ts';
import type { Schema } from '../openapi/types.ts';

/** An argument of a tool. */
interface Argument {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/**
 * Returns the JSON Schema of a tool's arguments: what OpenAPI describes as parameters, headers and members of the body of its route.
 *
 * @param inputs describes inputs without references, which not all clients resolve.
 * @throws DocumentError if two arguments would have the same name.
 */
export function inputSchemaOf(route: Route, inputs: Inputs): Schema {
  const all = route.variables.flatMap((variable) => argumentsOf(route, variable, inputs));
  const names = all.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) {
    throw new DocumentError(
      route.operation.definition,
      `${route.operation.name} has two inputs named ${twice}, which a tool cannot distinguish. Rename the variable.`,
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
