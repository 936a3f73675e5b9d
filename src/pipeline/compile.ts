/** Compiles operations: into the function that runs one, and into those that write its result and limit the size of the text. */
import fastJsonStringify from 'fast-json-stringify';
import {
  type ExecutionResult,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { DateTime, Decimal, Json } from '../graphql/scalars.ts';
import type { Context } from './context.ts';
import { hasKnownDifference } from './jit-differences.ts';
import { conditionalFields, responseFieldsIn, setsBelow, setsOf, type TypedSet } from './response-fields.ts';
import { LONGEST, type Longest, longest } from './response-size.ts';

/** The variables of an operation, as the client sent them. */
export type Variables = Readonly<Record<string, unknown>>;

/** Runs an operation. Leaves of the result are not serialized: ids are numbers, times are `Date`. */
export type Execute = (
  /** The event of a subscription; undefined for queries and mutations. */
  root: unknown,
  context: Context,
  /** Only after successful coercion. */
  variables: Variables,
) => ExecutionResult | Promise<ExecutionResult>;

/** Compiles an expanded operation into one function; undefined if graphql-jit cannot, or its result would differ: then graphql-js runs it. */
export function compileOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): Execute | undefined {
  if (hasKnownDifference(schema, operation)) return undefined;
  const document = { kind: Kind.DOCUMENT, definitions: [withOptionalVariables(operation)] } as const;
  const compiled = compileQuery(schema, document, operation.name?.value, {
    // The writer of the response serializes leaves by their types, which is faster than serializing each of them before.
    disableLeafSerialization: true,
    customSerializers: Object.fromEntries(
      [DateTime, Decimal, Json].map(({ name }) => [name, (value) => value]),
    ),
    // Errors are created where they occur, with a stack of their own: a second stack adds no information.
    disablingCapturingStackErrors: true,
  });
  return isCompiledQuery(compiled) ? compiled.query : undefined;
}

/** Makes variables with a default nullable: graphql-jit ignores the default of a non-null one. Coercion has already refused null for it. */
function withOptionalVariables(operation: OperationDefinitionNode): OperationDefinitionNode {
  const { variableDefinitions = [] } = operation;
  return {
    ...operation,
    variableDefinitions: variableDefinitions.map((definition) =>
      definition.defaultValue && definition.type.kind === Kind.NON_NULL_TYPE
        ? { ...definition, type: definition.type.type }
        : definition,
    ),
  };
}

/** Writes the `data` of results of an operation. */
export interface Writer {
  readonly write: (data: unknown) => string;
  /** Returns the maximum length of that text in bytes, without writing it. */
  readonly longest: Longest;
}

/** Compiles the writer of an expanded operation, with the text that JSON.stringify writes for the result of graphql-js. */
export function compileWriter(schema: GraphQLSchema, operation: OperationDefinitionNode): Writer {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}s.`);
  // `root` is nullable, since an error of a non-null field can make all of `data` null.
  const shape = schemaOf(schema, root, setsOf(schema, operation));
  return { write: jsonWriter(shape), longest: longestOf(shape) };
}

/** Returns a writer of values as JSON, compiled for the first value: a server has hundreds of writers, and uses few of them. */
export function jsonWriter(schema: object): Writer['write'] {
  let write: Writer['write'] | undefined;
  return (value) => {
    // The library declares its input as mutable, but does not write to it.
    write ??= fastJsonStringify(schema as Parameters<typeof fastJsonStringify>[0]);
    return write(value);
  };
}

function schemaOf(schema: GraphQLSchema, type: GraphQLOutputType, sets: readonly TypedSet[]): Shape {
  const shape = presentSchema(schema, getNullableType(type), sets);
  // A schema without a type accepts every value, including null.
  return isNonNullType(type) || !shape.type ? shape : { ...shape, nullable: true };
}

function presentSchema(schema: GraphQLSchema, type: GraphQLOutputType, sets: readonly TypedSet[]): Shape {
  if (isListType(type)) return { type: 'array', items: schemaOf(schema, type.ofType, sets) };
  if (isLeafType(type)) return isEnumType(type) ? { type: 'string' } : (LEAVES[type.name] ?? {});
  // A union only has `__typename`.
  const fields = 'getFields' in type ? type.getFields() : {};
  const properties = responseFieldsIn(schema, sets).map((responseField): [string, Shape] => {
    const field = fields[responseField.fields[0].node.name.value];
    // Fields that are not found here are `__typename` and those of introspection.
    return [responseField.name, field ? schemaOf(schema, field.type, setsBelow(responseField)) : {}];
  });
  // Code for objects that have all of their members is faster. It writes required members first, so all are, or none.
  const isComplete = conditionalFields(sets).size === 0;
  const required = isComplete ? properties.map(([name]) => name) : [];
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/** How leaves are written. Leaves of other types are written like JSON.stringify does. */
const LEAVES: Readonly<Record<string, Shape>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Decimal: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
};

/** The shape of values: the part of JSON Schema that is passed to fast-json-stringify. */
interface Shape {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
}

/**
 * Compiles {@link longest} for a shape to code, at the first value, as fast-json-stringify does for the text. Functions that have the names
 * of members as data took seven times as many instructions: 4 % of those of a response with 20 orders and their items.
 */
export function longestOf(shape: Shape): Longest {
  let compiled: Longest | undefined;
  return (value) => {
    compiled ??= compileLongest(shape);
    return compiled(value);
  };
}

function compileLongest(shape: Shape): Longest {
  const functions: string[] = [];
  const bytes = bytesIn(shape, 'value', functions);
  const code = `${functions.join('\n')}\nreturn (value) => ${bytes};`;
  return new Function('text', 'any', code)(longestText, longest);
}

/**
 * Returns an expression for the maximum bytes of a value.
 *
 * @param value an expression.
 * @param functions the functions that the expression calls. Theirs are added.
 */
function bytesIn(shape: Shape, value: string, functions: string[]): string {
  const { type, properties, items } = shape;
  if (isFixed(shape)) return String(LONGEST.other);
  if (!properties && !items) return `${type === 'string' ? 'text' : 'any'}(${value})`;
  const body = properties ? bodyOfObject(properties, functions) : bodyOfList(items ?? {}, functions);
  const name = `bytes${functions.length}`;
  functions.push(`function ${name}(value) {${body}}`);
  return `${name}(${value})`;
}

function bodyOfObject(properties: Readonly<Record<string, Shape>>, functions: string[]): string {
  const members = Object.entries(properties).map(([name, shape]) => {
    const around = name.length * LONGEST.character + LONGEST.around;
    return `${around} + ${bytesIn(shape, `value[${JSON.stringify(name)}]`, functions)}`;
  });
  return `return typeof value === 'object' && value !== null ? ${[LONGEST.around, ...members].join(' + ')} : ${LONGEST.other};`;
}

function bodyOfList(items: Shape, functions: string[]): string {
  return `if (!Array.isArray(value)) return ${LONGEST.other};
    let bytes = ${LONGEST.around};
    for (const element of value) bytes += ${bytesIn(items, 'element', functions)};
    return bytes;`;
}

/** Whether all values of a shape count the same. */
const isFixed = ({ type, format }: Shape): boolean =>
  type === 'integer' || type === 'number' || type === 'boolean' || format !== undefined;

/** Also for an id that is a number. */
const longestText: Longest = (value) =>
  typeof value === 'string' ? value.length * LONGEST.character + LONGEST.around : LONGEST.other;
