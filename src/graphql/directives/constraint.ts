import {
  type GraphQLArgument,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  GraphQLString,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
} from 'graphql';
import { isLongerThan, isShorterThan } from '../../core/characters.ts';
import { ApiError, type ErrorDetail, isFull, shortPath } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { problemWithLine } from '../../core/text-line.ts';
import { type Field, fieldsOfObjects, runAfter } from '../field.ts';
import { directiveValues } from './values.ts';

/** The arguments of `@constraint`, as base.graphql describes them. */
export interface Constraint {
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly line?: boolean;
  readonly maxItems?: number;
  readonly notNull?: boolean;
  readonly unchecked?: boolean;
}

type Input = GraphQLArgument | GraphQLInputField;

/** The arguments that take cursors. The server has issued no cursor that violates their constraints. */
const CURSORS: ReadonlySet<string> = new Set(['after', 'before']);

/** Checks the value at `path`, and adds its problems to the details. */
type Check = (value: unknown, path: string, details: ErrorDetail[]) => void;

/** Reads `@constraint` of an argument or input field; undefined without the directive. */
export const constraintOf = (schema: GraphQLSchema, input: Input): Constraint | undefined =>
  directiveValues<Constraint>(schema, 'constraint', input);

/** Makes every field with constraints check its arguments before its resolver runs, and report all problems at once. */
export function enforceConstraints(schema: GraphQLSchema): void {
  const compile = checkCompiler(schema);
  for (const [, field] of fieldsOfObjects(schema)) {
    const check = compile(field.args);
    if (check) guard(field, check);
  }
}

/** Creates a check for values of an input type that are not arguments of a field, such as lines of a file. */
export function inputCheck(schema: GraphQLSchema, name: string): (value: object) => readonly ErrorDetail[] {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new TypeError(`${name} is not an input type.`);
  return argumentsCheck(schema, Object.values(type.getFields()));
}

/** Creates a check for arguments before their field runs. Those that could not be coerced are undefined, and have no problem here. */
export function argumentsCheck(
  schema: GraphQLSchema,
  args: readonly Input[],
): (values: object) => readonly ErrorDetail[] {
  const check = checkCompiler(schema)(args);
  return (values) => {
    const details: ErrorDetail[] = [];
    check?.(values, '', details);
    return details;
  };
}

function guard(field: Field, check: Check): void {
  const refuse = (args: unknown) => {
    const details: ErrorDetail[] = [];
    check(args, '', details);
    if (details.length === 0) return;
    if (details.every(({ path }) => CURSORS.has(path))) throw new ApiError('invalid_cursor');
    throw new ApiError('validation_failed', { details });
  };
  // The arguments of a subscription are checked once, when it begins, since its resolver runs for each event.
  if (field.subscribe) field.subscribe = runAfter(refuse, field.subscribe);
  else field.resolve = runAfter(refuse, field.resolve);
}

/** Returns a compiler of checks for objects with given members; it returns undefined if there is nothing to check. */
function checkCompiler(schema: GraphQLSchema): (inputs: readonly Input[]) => Check | undefined {
  /** Checks by type. Input types may contain themselves, so a type is added before its members are compiled. */
  const checkOfType = new Map<GraphQLInputType, { check: Check | undefined }>();
  return checkOfMembers;

  function checkOfMembers(inputs: readonly Input[]): Check | undefined {
    const checks = inputs.flatMap((input) => {
      const check = checkOfMember(input);
      return check ? [{ name: input.name, check }] : [];
    });
    if (checks.length === 0) return undefined;
    return (value, path, details) => {
      // Only called with coerced arguments and input objects.
      const object = value as Record<string, unknown>;
      for (const { name, check } of checks) {
        if (object[name] !== undefined) check(object[name], path === '' ? name : `${path}.${name}`, details);
      }
    };
  }

  function checkOfMember(input: Input): Check | undefined {
    const constraint = constraintOf(schema, input);
    const inner = constraint?.unchecked ? undefined : checkOf(input.type);
    if (!constraint)
      return inner && ((value, path, details) => value !== null && inner(value, path, details));
    return (value, path, details) => {
      const problem = problemWith(value, constraint);
      if (problem) details.push({ path, message: problem });
      else if (value !== null) inner?.(value, path, details);
    };
  }

  function checkOf(type: GraphQLInputType): Check | undefined {
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      const element = checkOf(nullable.ofType);
      if (!element) return undefined;
      return (value, path, details) => {
        for (const [index, item] of (value as unknown[]).entries()) {
          if (isFull(details)) return;
          if (item !== null && item !== undefined) element(item, `${path}.${index}`, details);
        }
      };
    }
    if (nullable === GraphQLString || nullable === GraphQLID) return refuseUnstorable;
    if (isScalarType(nullable) && nullable.name === 'JSON') return refuseUnstorableJson;
    if (!isInputObjectType(nullable)) return undefined;
    const known = checkOfType.get(nullable);
    if (known) return (value, path, details) => known.check?.(value, path, details);
    const entry: { check: Check | undefined } = { check: undefined };
    checkOfType.set(nullable, entry);
    entry.check = checkOfMembers(Object.values(nullable.getFields()));
    return entry.check;
  }
}

/** PostgreSQL can store neither in text and JSON: U+0000 ends a string in C, and an unpaired surrogate has no encoding in UTF-8. */
function refuseUnstorable(value: unknown, path: string, details: ErrorDetail[]): void {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
    details.push({ path, message: 'must not contain U+0000 or an unpaired surrogate' });
  }
}

/** The same for all names and texts in a JSON value. Few levels are allowed, since whatever reads such a value is recursive. */
function refuseUnstorableJson(value: unknown, path: string, details: ErrorDetail[], level = 0): void {
  if (isFull(details)) return;
  if (typeof value !== 'object' || value === null) refuseUnstorable(value, path, details);
  else if (level === LIMITS.jsonDepth)
    details.push({ path, message: `must not be nested in more than ${LIMITS.jsonDepth} lists and objects` });
  else {
    for (const [name, member] of Object.entries(value)) {
      const at = shortPath(`${path}.${name}`);
      refuseUnstorable(name, at, details);
      refuseUnstorableJson(member, at, details, level + 1);
    }
  }
}

function problemWith(value: unknown, constraint: Constraint): string | undefined {
  const { min, max, minLength, maxLength, line, maxItems, notNull } = constraint;
  if (value === null) return notNull ? 'must not be null; omit it to keep the current value' : undefined;
  if (typeof value === 'number') {
    if (min != null && value < min) return `must be at least ${min}`;
    if (max != null && value > max) return `must be at most ${max}`;
  }
  if (typeof value === 'string') {
    if (minLength != null && isShorterThan(value, minLength)) {
      return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
    }
    if (maxLength != null && isLongerThan(value, maxLength))
      return `must have at most ${maxLength} characters`;
    if (line) return problemWithLine(value);
  }
  if (Array.isArray(value) && maxItems != null && value.length > maxItems) {
    return `must have at most ${maxItems} elements`;
  }
  return undefined;
}
