/** The door for agents: the Model Context Protocol over Streamable HTTP (https://modelcontextprotocol.io/specification). */
import type { FastifyRequest, RouteOptions } from 'fastify';
import { ApiError, malformed } from '../../../core/errors.ts';
import { isRecord } from '../../../core/json.ts';
import { LIMITS } from '../../../core/limits.ts';
import { authorizeCaller } from '../../../graphql/directives/auth.ts';
import type { Context } from '../../../pipeline/context.ts';
import { version } from '../../../rest/openapi/index.ts';
import type { ToolArguments } from '../../../rest/tools/arguments.ts';
import type { Tool } from '../../../rest/tools/index.ts';
import { POSITION } from '../../headers.ts';
import { refuseCrossSite, refuseForeignOrigins } from '../../hooks/cross-site.ts';
import type { HttpParts } from '../../parts.ts';
import { MCP_PATH } from '../../resources.ts';
import { ToolCaller } from './caller.ts';
import type { Protocol } from './protocol.ts';

/**
 * The route for POST. There are no sessions, so that any instance can serve any request, and nothing to GET or DELETE. A refused or
 * failed call is a result with an error; only what its client must handle is an HTTP status: 401 and a missing scope, which lead to an
 * authorization, and requests that are refused before their message is read.
 */
export function mcpRoute({ api: { tools }, config, openContext, logger }: HttpParts): RouteOptions {
  const toolsByName = new Map(tools.map((tool) => [tool.name, tool]));
  const onRefusal = (err: Error) => logger.debug({ err }, 'a message of an agent was refused');
  let protocol: Promise<Protocol> | undefined;
  /** The library is loaded with the first message: it would take a twentieth of every start. */
  const loadProtocol = () => {
    protocol ??= import('./protocol.ts').then(({ createProtocol }) =>
      createProtocol(toolsByName, version, onRefusal),
    );
    return protocol;
  };
  return {
    method: 'POST',
    url: MCP_PATH,
    config: { errorFormat: 'json-rpc', authorize: authorizeCaller },
    onRequest: [refuseCrossSite, refuseForeignOrigins(config.http)],
    async handler(request, reply) {
      const context = await openContext(reply);
      const { message, args } = withoutArguments(request.body);
      const problem = problemWith(message);
      const called = problem ? undefined : toolsByName.get(calledTool(message) ?? '');
      const { principal } = context;
      if (!principal) return refuseAnonymous(called, context);
      if (!called) await admit(problem ? LIMITS.refusalCost : priceOf(message, tools), context);
      if (problem) throw problem;
      const caller = new ToolCaller({ tools, principal, context, args });
      const { respond } = await loadProtocol();
      const response = await respond(headersOf(request, config.http.publicUrl), message, caller);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (caller.challenge) throw caller.challenge;
      // The protocol has refused the message.
      if (called && !caller.hasCalled) await context.requestCost.pay(LIMITS.refusalCost);
      const { written } = context;
      if (written !== undefined) reply.header(POSITION, written);
      const type = response.headers.get('content-type');
      reply.code(response.status);
      return type === null ? reply.send() : reply.type(type).send(bytes);
    },
  };
}

/** Refuses a caller without valid credentials. A call of a tool is refused by its operation, with its price and its count. */
async function refuseAnonymous(called: Tool | undefined, context: Context): Promise<never> {
  if (called) await called.call({}, context);
  else await context.requestCost.pay(LIMITS.refusalCost);
  throw context.refusal ?? new ApiError('unauthenticated');
}

/** Returns the price of a message that calls no tool. Each tool in a list is an object. */
const priceOf = (message: unknown, tools: readonly Tool[]): number =>
  isRecord(message) && message['method'] === 'tools/list' ? tools.length : LIMITS.refusalCost;

/** Has a message that is no operation wait to start like one, and pay. If it is shed, it costs nothing. */
async function admit(points: number, { requestCost, scheduler, flow, signal }: Context): Promise<void> {
  await scheduler.enter(flow, points, signal);
  // A small budget may hold fewer points.
  await requestCost.pay(Math.min(points, requestCost.most));
}

/** The headers that the protocol reads. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Returns the request as the library expects it, without its body. */
function headersOf({ headers }: FastifyRequest, publicUrl: string): Request {
  const read = HEADERS.flatMap((name) => {
    const value = headers[name]?.toString();
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  return new Request(publicUrl + MCP_PATH, { method: 'POST', headers: read });
}

/** Takes the arguments of a tool out of a message, since its operation validates them. */
function withoutArguments(body: unknown): { message: unknown; args: ToolArguments } {
  if (!isRecord(body) || !isRecord(body['params'])) return { message: body, args: {} };
  const { arguments: args, ...params } = body['params'];
  return isRecord(args) ? { message: { ...body, params }, args } : { message: body, args: {} };
}

/**
 * Returns the error of a message that the library must not see: no message, a batch, or one with more than `LIMITS.agentMessageValues`,
 * since validating these and describing their mistakes would take much longer than reading them.
 *
 * @param message without the arguments of a tool.
 */
function problemWith(message: unknown): ApiError | undefined {
  if (message === undefined) return new ApiError('invalid_json');
  if (Array.isArray(message)) return malformed('Send one message per request, not a batch.');
  if (countValues(message, 0) <= LIMITS.agentMessageValues) return undefined;
  return malformed(`A message may have ${LIMITS.agentMessageValues} values besides the arguments of a tool.`);
}

/** Counts the values in a JSON value, up to one more than are permitted. */
function countValues(value: unknown, before: number): number {
  let count = before + 1;
  if (typeof value !== 'object' || value === null) return count;
  for (const member of Object.values(value)) {
    if (count > LIMITS.agentMessageValues) break;
    count = countValues(member, count);
  }
  return count;
}

/** Returns the name of the tool that a message calls. The library validates the rest of it. */
function calledTool(message: unknown): string | undefined {
  if (!isRecord(message) || message['method'] !== 'tools/call' || !isRecord(message['params']))
    return undefined;
  const { name } = message['params'];
  return typeof name === 'string' ? name : undefined;
}
