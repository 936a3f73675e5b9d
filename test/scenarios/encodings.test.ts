/**
 * JSON is UTF-8 (RFC 8259, section 8.1): every door that accepts a body refuses other bytes, and never stores
 * them as U+FFFD.
 */
import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { writesNothing } from '../support/expectations.ts';
import { operations } from '../support/openapi.ts';

/** A member whose value is an invalid byte, after a member that is valid. */
const INVALID = Buffer.concat([
  Buffer.from('{"name":"Zo\u00eb \uFFFD '),
  Buffer.from([0xff]),
  Buffer.from('"}'),
]);
const POSITION = INVALID.indexOf(0xff);

const BODIES: readonly (readonly [title: string, bytes: Buffer, position: number])[] = [
  ['a byte that cannot begin a character', INVALID, POSITION],
  ['a truncated character', Buffer.from([...Buffer.from('{"name":"'), 0xe2, 0x82]), 9],
  ['an overlong encoding of a character', Buffer.from([...Buffer.from('{"a":"'), 0xc0, 0xaf, 0x22, 0x7d]), 6],
  ['half a surrogate pair', Buffer.from([...Buffer.from('{"a":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d]), 6],
];

/** Signed messages come from a provider: their signature is verified before the bytes are decoded. */
const isSigned = (path: string) => /payment-events|stripe/.test(path);
const routes = operations.filter(({ operation, path }) => 'requestBody' in operation && !isSigned(path));

describeEachEngine('bodies that are not UTF-8', (engine) => {
  const app = startApp(engine);

  const send = async (method: string, path: string, body: Buffer, headers: Record<string, string> = {}) => {
    const response = await fetch(`${app.url}${path.replace(/\{\w+\}/g, '1')}`, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${(await app.signIn('ada')).token}`,
        ...headers,
      },
      // A copy, because the types of fetch accept no view of a buffer that may be shared.
      body: new Uint8Array(body),
    });
    return { status: response.status, text: await response.text() };
  };

  test.each(routes)('are refused by $name', async ({ method, path }) => {
    const { status, text } = await writesNothing(app, () => send(method, path, INVALID));
    expect(text).toContain('invalid_json');
    expect(text).toContain(`at byte ${POSITION}`);
    expect(status).toBe(400);
  });

  test.each(BODIES)('are refused with the position: %s', async (_title, bytes, position) => {
    const { status, text } = await send('POST', '/v1/users/1/orders', bytes);
    expect(status).toBe(400);
    expect(text).toContain(`at byte ${position}`);
  });

  test.each(['application/json', 'application/graphql-response+json', 'text/event-stream'])(
    'are refused by /graphql as %s',
    async (accept) => {
      const body = Buffer.concat([Buffer.from('{"query":"{ me { name } } # '), INVALID.subarray(-3)]);
      const { text } = await send('POST', '/graphql', body, { accept });
      expect(text).toContain('invalid_json');
      expect(text).toContain('at byte 28');
    },
  );

  test('a U+FFFD sent by a client is accepted', async () => {
    const query =
      'mutation ($title: String!) { createDocument(org: "acme", input: { title: $title, body: "" }) { title } }';
    const body = Buffer.from(JSON.stringify({ query, variables: { title: 'Ada \uFFFD' } }));
    const { text } = await send('POST', '/graphql', body);
    expect(JSON.parse(text).data).toEqual({ createDocument: { title: 'Ada \uFFFD' } });
  });
});
