/** A small HTTP client for the server under test. It uses none of the server's code. */
import { Agent, type IncomingMessage, request as open } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { Exchange } from './openapi.ts';

/** The sender of a request: a user of the demo data, or the holder of a token. */
export type Sender = Person | { readonly token: string };

export const PEOPLE = {
  ada: 'ada@acme.test',
  ed: 'ed@acme.test',
  vic: 'vic@acme.test',
  gil: 'gil@globex.test',
};
export type Person = keyof typeof PEOPLE;

/** The tables that a login writes, which this client does on its own, and those that the outbox writes in the background. */
export const OF_SIGNING_IN: ReadonlySet<string> = new Set([
  'sessions',
  'refreshTokens',
  'outbox',
  'linkTokens',
  'auditEntries',
]);

export interface RequestOptions {
  /** Anonymous if omitted. */
  readonly as?: Sender;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A raw body, sent as JSON unless the headers have another content type. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A complete response. `Body` is the type that the test expects and verifies. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined if there is no body or it is not JSON. */
  readonly body: Body;
  readonly text: string;
}

/** The `error` of a REST response, or its equivalent in GraphQL. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

export interface ErrorBody {
  readonly error: Failure;
}

export interface GraphQLBody<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Omit<Failure, 'message'> & { readonly retryAfter?: number };
  }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The cost of an operation, which every GraphQL response reports. */
interface Cost {
  readonly requestedQueryCost: number;
  readonly actualQueryCost: number;
  readonly throttleStatus: {
    readonly maximumAvailable: number;
    readonly currentlyAvailable: number;
    readonly restoreRate: number;
  };
}

/** A response whose body does not contain `extensions.cost`, since few tests are about it. */
export interface GraphQLAnswer<Data> extends Answer<GraphQLBody<Data>> {
  readonly cost: Cost | undefined;
}

type Call = <Body = unknown>(path: string, options?: RequestOptions) => Promise<Answer<Body>>;

export interface Client {
  readonly get: Call;
  readonly head: Call;
  readonly options: Call;
  readonly post: Call;
  readonly put: Call;
  readonly patch: Call;
  readonly delete: Call;
  request<Body = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<Body>>;
  graphql<Data = Record<string, unknown>>(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
    options?: Omit<RequestOptions, 'body' | 'text'>,
  ): Promise<GraphQLAnswer<Data>>;
  /** Returns a user's token, restricted to scopes if given. Tokens are cached. */
  signIn(person: Person, scopes?: readonly string[]): Promise<{ readonly token: string }>;
  /** Discards the cached tokens, for example because the test's clock has passed their expiry. */
  signOutAll(): void;
}

interface ClientParts {
  readonly url: () => string;
  readonly password: string;
  /** Called before each request of a test, but not before a login. */
  readonly beforeRequest: () => void;
  /** Called with every response. If it throws, the request fails. */
  readonly check: (exchange: Exchange) => void;
}

export function createClient({ url, password, beforeRequest, check }: ClientParts): Client {
  const tokens = new Map<string, Promise<{ token: string }>>();

  async function send<Body>(method: string, path: string, options: RequestOptions): Promise<Answer<Body>> {
    const body = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const headers = new Headers({
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(options.as !== undefined && { authorization: `Bearer ${await tokenOf(options.as)}` }),
      ...options.headers,
    });
    const { status, received, text } = await exchange(url() + path, method, headers, body);
    const isJson = /[/+]json\b/.test(received.get('content-type') ?? '') && text !== '';
    const response = {
      status,
      headers: received,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
    check({ method, path, sent: { headers, body: parsed(body) }, ...response });
    return response;
  }

  async function tokenOf(sender: Sender): Promise<string> {
    return (typeof sender === 'string' ? await signIn(sender) : sender).token;
  }

  function signIn(person: Person, scopes?: readonly string[]): Promise<{ token: string }> {
    const key = `${person} ${scopes?.join(' ') ?? 'all'}`;
    const known = tokens.get(key) ?? login(person, scopes);
    tokens.set(key, known);
    return known;
  }

  async function login(person: Person, scopes: readonly string[] | undefined): Promise<{ token: string }> {
    const credentials = { email: PEOPLE[person], password, ...(scopes && { scopes }) };
    const response = await send<{ access_token: string }>('POST', '/v1/auth/login', { body: credentials });
    return { token: bodyOf(response, 200, `${person} could not sign in`).access_token };
  }

  const request: Client['request'] = async (method, path, options = {}) => {
    const { as } = options;
    const sender = as === undefined ? {} : { as: { token: await tokenOf(as) } };
    beforeRequest();
    return send(method, path, { ...options, ...sender });
  };
  const call =
    (method: string): Call =>
    (path, options) =>
      request(method, path, options);

  return {
    get: call('GET'),
    head: call('HEAD'),
    options: call('OPTIONS'),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: call('DELETE'),
    request,
    graphql: async <Data>(query: string, variables = {}, options = {}) =>
      withoutCost<Data>(await request('POST', '/graphql', { ...options, body: { query, variables } })),
    signIn,
    signOutAll: () => tokens.clear(),
  };
}

/** Keeps connections open. For most requests, `fetch` would take as long as the server itself. */
const agent = new Agent({ keepAlive: true });

async function exchange(
  url: string,
  method: string,
  headers: Headers,
  body: string | undefined,
): Promise<{ status: number; received: Headers; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Node omits the length for methods that usually have no body.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const sent = { accept: '*/*', ...length, ...Object.fromEntries(headers) };
  open(url, { agent, method, headers: sent }, resolve).on('error', reject).end(body);
  const message = await promise;
  const received = new Headers();
  const { rawHeaders } = message;
  for (let at = 0; at < rawHeaders.length; at += 2)
    received.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  // A response has a status; it is only optional because requests have the same type.
  return { status: message.statusCode ?? 0, received, text: await textOf(message) };
}

function withoutCost<Data>(
  response: Answer<
    Omit<GraphQLBody<Data>, 'extensions'> & { readonly extensions?: { readonly cost?: Cost } }
  >,
): GraphQLAnswer<Data> {
  if (!response.body?.extensions) return { ...response, cost: undefined };
  const { extensions, ...body } = response.body;
  const { cost, ...others } = extensions;
  const kept = Object.keys(others).length > 0 ? { ...body, extensions: others } : body;
  // Without the removed members, the body has the type that the test expects.
  return { ...response, body: kept as GraphQLBody<Data>, cost };
}

/** Parses a text as JSON; undefined if it is not JSON. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the body of a response that must have this status. @throws Error with the response otherwise. */
export function bodyOf<Body>({ status, body, text }: Answer<Body>, wanted: number, failure: string): Body {
  if (status !== wanted) throw new Error(`${failure}: ${status} ${text}`);
  return body;
}

/** Returns the error codes of a GraphQL response, in order. */
export const codesOf = (response: Answer<GraphQLBody<unknown>>): string[] =>
  (response.body.errors ?? []).map((error) => error.extensions.code);
