/** The doors of the server, and what each says to somebody who may not come in. */
import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import type { ErrorBody, GraphQLBody } from './client.ts';
import { exchange } from './raw.ts';

/** What came back, as far as all doors have it. */
export interface Reply {
  readonly status: number;
  /** `WWW-Authenticate`. */
  readonly challenge: string | null;
  readonly text: string;
}

export interface Door {
  readonly name: 'REST' | 'GraphQL';
  /** Reads Ed's account, which takes `read:users`, with this Authorization header. */
  ask(app: TestApp, authorization: string): Promise<Reply>;
  /** The same with headers that a proper client would not send. */
  askRaw(app: TestApp, headers: readonly string[]): Promise<Reply>;
}

const PERSON = '/v1/users/2';
const DOCUMENT = '{ user(id: 2) { id } }';
const QUERY = JSON.stringify({ query: DOCUMENT });

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
      // Without the cost, which stands beside it and reports what is left of the caller's budget.
      return { status, challenge: headers.get('www-authenticate'), text: JSON.stringify(body) };
    },
    askRaw: (app, headers) => {
      const own = ['Content-Type: application/json', `Content-Length: ${QUERY.length}`];
      return raw(app, ['POST /graphql HTTP/1.1', ...own, ...headers], QUERY);
    },
  },
];

async function raw(app: TestApp, lines: readonly string[], body: string): Promise<Reply> {
  const all = [...lines, 'Host: portico.test', 'Connection: close'];
  const { status, headers, text } = await exchange(app.port, all, body);
  return { status, challenge: headers.get('www-authenticate') ?? null, text };
}

/** The code of an error, wherever the door puts it; undefined for an answer that is none. */
export function codeIn({ text }: Reply): string | undefined {
  // Either of the two forms; whether there is a code is what the test is there to find out.
  const body = JSON.parse(text) as Partial<ErrorBody> & GraphQLBody<unknown>;
  return body.error?.code ?? body.errors?.[0]?.extensions.code;
}

/** The credentials were refused: 401, with its code and with what would do instead. */
export function expectRefused(reply: Reply, code = 'invalid_token'): void {
  expect(reply.status, reply.text).toBe(401);
  expect(codeIn(reply)).toBe(code);
  expect(reply.challenge).toContain('Bearer realm="portico"');
  expect(reply.challenge).toContain('error="invalid_token"');
  expect(reply.text).not.toContain('"data"');
}
