/** The doors of the server, and their responses to refused credentials. */
import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import type { ErrorBody, GraphQLBody } from '../support/client.ts';
import { ACCEPT, ask, type Message } from '../support/mcp.ts';
import { exchange } from '../support/raw-clients.ts';

/** The parts of a response that all doors have. */
interface Reply {
  readonly status: number;
  /** `WWW-Authenticate`. */
  readonly challenge: string | null;
  readonly text: string;
}

interface Door {
  readonly name: 'REST' | 'GraphQL' | 'MCP';
  /** Reads Ed's account, which requires `read:users`, with this Authorization header. */
  ask(app: TestApp, authorization: string): Promise<Reply>;
  /** The same with raw headers, which a regular client could not send. */
  askRaw(app: TestApp, headers: readonly string[]): Promise<Reply>;
}

const PERSON = '/v1/users/2';
const DOCUMENT = '{ user(id: 2) { id } }';
const QUERY = JSON.stringify({ query: DOCUMENT });
const CALL = { name: 'get_user', arguments: { user_id: 2 } };
const MESSAGE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: CALL });

export const DOORS: readonly Door[] = [
  {
    name: 'REST',
    async ask(app, authorization) {
      const { status, headers, text } = await app.get(PERSON, { headers: { authorization } });
      return { status, challenge: headers.get('www-authenticate'), text };
    },
    askRaw: (app, headers) => raw(app, [`GET ${PERSON} HTTP/1.1`, ...headers], ''),
  },
  {
    name: 'GraphQL',
    async ask(app, authorization) {
      const { status, headers, body } = await app.graphql(DOCUMENT, {}, { headers: { authorization } });
      // Without the cost, which contains the rest of the caller's budget.
      return { status, challenge: headers.get('www-authenticate'), text: JSON.stringify(body) };
    },
    askRaw: (app, headers) => {
      const own = ['Content-Type: application/json', `Content-Length: ${QUERY.length}`];
      return raw(app, ['POST /graphql HTTP/1.1', ...own, ...headers], QUERY);
    },
  },
  {
    name: 'MCP',
    async ask(app, authorization) {
      const { status, headers, text } = await ask(app, 'tools/call', CALL, { headers: { authorization } });
      return { status, challenge: headers.get('www-authenticate'), text };
    },
    askRaw: (app, headers) => {
      const own = [
        'Content-Type: application/json',
        `Content-Length: ${MESSAGE.length}`,
        `Accept: ${ACCEPT.accept}`,
      ];
      return raw(app, ['POST /mcp HTTP/1.1', ...own, ...headers], MESSAGE);
    },
  },
];

async function raw(app: TestApp, lines: readonly string[], body: string): Promise<Reply> {
  const all = [...lines, 'Host: portico.test', 'Connection: close'];
  const { status, headers, text } = await exchange(app.port, all, body);
  return { status, challenge: headers.get('www-authenticate') ?? null, text };
}

/** Returns the error code of a response in the format of any door; undefined if it is not an error. */
export function codeIn({ text }: Reply): string | undefined {
  // One of the three formats; the test verifies the code.
  const body = JSON.parse(text) as Partial<ErrorBody> & GraphQLBody<unknown> & Pick<Message, 'error'>;
  return body.error?.data?.code ?? body.error?.code ?? body.errors?.[0]?.extensions.code;
}

/** Expects that credentials were refused: 401 with the code and a challenge. */
export function expectRefused(reply: Reply, code = 'invalid_token'): void {
  expect(reply.status, reply.text).toBe(401);
  expect(codeIn(reply)).toBe(code);
  expect(reply.challenge).toContain('Bearer realm="portico"');
  expect(reply.challenge).toContain('error="invalid_token"');
  // JSON-RPC has the error itself as its data.
  expect(reply.text).not.toMatch(/"data":(?!\{"code":)|"result"/);
}
