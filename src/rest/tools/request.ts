/** A call of a tool as a request for its route: what is sent in a path, a query, headers and a body are members of one object. */
import { fillIn } from '../compile/spelling.ts';
import type { Route } from '../compile/route.ts';
import type { RestRequest, VariableSource } from '../handle/binding.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

/**
 * Returns the request for the route of a tool. The route checks all values, so that the errors of a tool are those of its route.
 * Arguments that the route does not have become members of the body, or parameters of a route without a body: both are refused.
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
