/** Sends messages of the Model Context Protocol, without its client library. */
import type { TestApp } from './app.ts';
import type { Answer, Failure, Sender } from './client.ts';
import { eventsIn } from './raw-clients.ts';

/** The stateless revision, and earlier ones, whose clients initialize first. */
export const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;
type Revision = (typeof REVISIONS)[number];

interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, object>>;
    readonly required: readonly string[];
  };
  readonly outputSchema?: object;
  readonly annotations: Readonly<Record<string, unknown>>;
}

/** A response of JSON-RPC. */
export interface Message<Result = unknown> {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: Result;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Failure;
  };
}

interface Asked {
  readonly as?: Sender | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly revision?: Revision;
}

/** The media types that the protocol requires clients to accept. */
export const ACCEPT = { accept: 'application/json, text/event-stream' };

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Returns the headers that a revision requires for a message. */
export function headersFor(
  revision: Revision,
  method: string,
  { name }: { readonly name?: unknown } = {},
): Record<string, string> {
  if (revision !== '2026-07-28') return { ...ACCEPT, 'mcp-protocol-version': revision };
  return {
    ...ACCEPT,
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
  };
}

/** Sends a request. */
export async function ask<Result = unknown>(
  app: TestApp,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { as, headers = {}, revision = '2026-07-28' }: Asked = {},
): Promise<Answer<Message<Result>>> {
  const all = revision === '2026-07-28' ? { _meta: META, ...params } : params;
  const answer = await app.post<Message<Result>>('/mcp', {
    ...(as !== undefined && { as }),
    headers: { ...headersFor(revision, method, params), ...headers },
    body: { jsonrpc: '2.0', id: 1, method, params: all },
  });
  return { ...answer, body: answer.body ?? messageIn(answer.text) };
}

/** Parses the only event of a stream, the response format of earlier revisions. */
const messageIn = (text: string) => JSON.parse(eventsIn(text)[0]?.data ?? 'null');

export const callTool = (
  app: TestApp,
  name: string,
  args: Readonly<Record<string, unknown>>,
  asked: Asked,
): Promise<Answer<Message<ToolResult>>> => ask(app, 'tools/call', { name, arguments: args }, asked);

/** Returns the error of a call: of its result, or of the protocol. */
export function failureIn({
  body,
}: Answer<Message<ToolResult>>): (Failure & { retry_after?: number }) | undefined {
  const { result, error } = body;
  if (error) return error.data ?? { code: String(error.code), message: error.message };
  return result?.isError ? JSON.parse(result.content[0]?.text ?? '{}').error : undefined;
}

/** Returns the remaining points of the caller after a response. */
export const pointsLeft = ({ headers }: { readonly headers: Headers }) =>
  Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
