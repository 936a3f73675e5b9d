/** A small client of the server under test. It knows HTTP and nothing of the server's code. */
import { Agent, type IncomingMessage, request as open } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { Exchange } from './openapi-check.ts';

/** Who sends a request: one of the demo's people, or anyone who holds the token. */
export type Sender = Person | { readonly token: string };

export const PEOPLE = {
  ada: 'ada@acme.test',
  ed: 'ed@acme.test',
  vic: 'vic@acme.test',
  gil: 'gil@globex.test',
};
export type Person = keyof typeof PEOPLE;

/** Tables that have further rows whenever someone signs in, which this client does by itself, and those that sending mail writes beside requests. */
export const OF_SIGNING_IN: ReadonlySet<string> = new Set([
  'sessions',
  'refreshTokens',
  'outbox',
  'linkTokens',
  'auditEntries',
]);

export interface RequestOptions {
  /** No one when left out. */
  readonly as?: Sender;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, as JSON when the headers say nothing else. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer, read to its end. `Body` is what the test expects; that it is so is what the test is there to find out. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, undefined without a body or for one that is not JSON. */
  readonly body: Body;
  readonly text: string;
}

/** `error` of a REST answer, or what GraphQL has for it. */
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
}

/** The cost of an operation, as every answer has it. */
export interface Cost {
  readonly requestedQueryCost: number;
  readonly actualQueryCost: number;
  readonly throttleStatus: {
    readonly maximumAvailable: number;
    readonly currentlyAvailable: number;
    readonly restoreRate: number;
  };
}

/** The body of an answer without `extensions.cost`, which stands beside it: few tests are about that. */
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
  /** A token of a person, narrowed to scopes if there are any. The server is asked once for each. */
  signIn(person: Person, scopes?: readonly string[]): Promise<{ readonly token: string }>;
  /** Forgets the tokens, which the server's clock may have ended. */
  signOutAll(): void;
}

export interface ClientParts {
  readonly url: () => string;
  readonly password: string;
  /** Called before each request that a test makes; signing in is none of its own. */
  readonly beforeRequest: () => void;
  /** Called with every answer; what it throws, the request throws. */
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
    const { response, text } = await exchange(url() + path, method, headers, body);
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
    check({ method, path, sent: { headers, body: parsed(body) }, ...answer });
    return answer;
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
    const { status, body, text } = await send<{ access_token: string }>('POST', '/v1/auth/login', {
      body: credentials,
    });
    if (status !== 200) throw new Error(`${person} could not sign in: ${status} ${text}`);
    return { token: body.access_token };
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

/** Connections are kept. `fetch` would take as long as the server itself for most requests. */
const agent = new Agent({ keepAlive: true });

async function exchange(
  url: string,
  method: string,
  headers: Headers,
  body: string | undefined,
): Promise<{ response: { status: number; headers: Headers }; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Node leaves the length out where a method commonly has no body.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const sent = { accept: '*/*', ...length, ...Object.fromEntries(headers) };
  open(url, { agent, method, headers: sent }, resolve).on('error', reject).end(body);
  const message = await promise;
  const received = new Headers();
  const { rawHeaders } = message;
  for (let at = 0; at < rawHeaders.length; at += 2)
    received.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  // A response of a server has a status; only the type is that of requests as well.
  return { response: { status: message.statusCode ?? 0, headers: received }, text: await textOf(message) };
}

function withoutCost<Data>(
  answer: Answer<GraphQLBody<Data> & { readonly extensions?: { readonly cost?: Cost } }>,
): GraphQLAnswer<Data> {
  if (!answer.body?.extensions) return { ...answer, cost: undefined };
  const { extensions, ...body } = answer.body;
  const { cost, ...others } = extensions;
  const kept = Object.keys(others).length > 0 ? { ...body, extensions: others } : body;
  // Without the members that were taken out it is what the test expects it to be.
  return { ...answer, body: kept as GraphQLBody<Data>, cost };
}

/** What a text says as JSON, undefined when it says nothing. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The codes of a GraphQL answer's errors, in their order. */
export const codesOf = (answer: Answer<GraphQLBody<unknown>>): string[] =>
  (answer.body.errors ?? []).map((error) => error.extensions.code);
