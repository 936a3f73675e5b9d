/** Commands that follow a server, against servers that respond with anything, over sockets. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { followEvents } from '../../src/cli/following.ts';
import { send } from '../../src/cli/remote.ts';
import { manageServers, waitUntil } from '../support/process.ts';
import { manageReceivers } from '../support/webhook-receiver.ts';
import { command } from './command.ts';

const servers = manageServers();
const openReceiver = manageReceivers();
const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  opened.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a TCP port has an address of this type.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes the same text until the client disconnects. */
function writeEndlessly(response: ServerResponse, text: string): void {
  const write = () => {
    while (!response.destroyed && response.write(text));
  };
  response.on('drain', write);
  write();
}

/** Responds with a page of the feed, which links to a stream. */
const sendPage = (response: ServerResponse, link = '</feed?cursor=here>; rel="monitor"') =>
  response.setHeader('link', link).end('{}');

const wantsStream = ({ headers }: IncomingMessage) => headers.accept === 'text/event-stream';

describe('listening to a server that', () => {
  const listen = async (respond: RequestListener) =>
    command(['listen', '--server', await serve(respond), '--key', 'pk_secret'], { environment: {} });

  test.each([
    ['links to no page', '', /returned no position/],
    ['links to no stream', '</feed?cursor=here>; rel="next"', /returned no position/],
    ['links to a stream without a position', '</feed>; rel="monitor"', /returned no position/],
    ['links to no URL', '<http://[>; rel="monitor"', /returned no position/],
    ['sends no stream', undefined, /sent no stream of events/],
  ])('%s', async (_, link, message) => {
    const { code, err } = await listen((_request, response) => sendPage(response, link));
    expect(err).toMatch(message);
    expect(code).toBe(1);
  });

  test('never ends its response', async () => {
    const { code, err } = await listen((_request, response) => writeEndlessly(response, ' '.repeat(16_384)));
    expect(err).toMatch(/sent more than 1048576 bytes/);
    expect(code).toBe(1);
  });

  test('redirects elsewhere, where nothing is sent', async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = await serve((request, response) => {
      asked.push(request.url);
      sendPage(response);
    });
    const { code, err } = await listen((request, response) =>
      response.writeHead(307, { location: elsewhere + request.url }).end(),
    );
    expect(err).toContain(`redirects to ${elsewhere}/feed?limit=1. Pass the URL of the server.`);
    expect([code, asked]).toEqual([1, []]);
  });
});

test.each([
  ['no JSON string', String.raw`{"message":"a\x"}`],
  ['no string', '{"message":5}'],
])('a refusal with %s as its message is one with a status', async (_, body) => {
  const url = await serve((_request, response) => response.writeHead(403).end(body));
  const { code, err } = await command(['listen', '--server', url, '--key', 'pk_secret'], { environment: {} });
  expect([code, err]).toEqual([1, `${url} refused the request: status 403\n`]);
});

describe('signing in at a server that', () => {
  const ENDPOINTS = '{"device_authorization_endpoint":"SERVER/device","token_endpoint":"SERVER/token"}';
  const DEVICE = '{"device_code":"a","user_code":"b","verification_uri":"c","expires_in":600,"interval":1}';

  test.each([
    ['describes nothing', 'null', '', '', /has no authorization server/],
    ['has no endpoints', '{}', '', '', /has no authorization server/],
    ['returns no code', ENDPOINTS, '{}', '', /refused the sign-in: status 200/],
    ['returns no token', ENDPOINTS, DEVICE, '{}', /refused the sign-in: status 200/],
    [
      'has an error of its own',
      ENDPOINTS,
      DEVICE,
      '{"error":"constructor"}',
      /refused the sign-in: constructor/,
    ],
  ])('%s', async (_, description, device, token, message) => {
    const bodies = new Map([
      ['/device', device],
      ['/token', token],
    ]);
    const url = await serve(({ url: path = '' }, response) =>
      response.end(bodies.get(path) ?? description.replaceAll('SERVER', url)),
    );
    const { code, err } = await command(['listen', '--server', url, '--client-id', 'app_1'], {
      environment: {},
    });
    expect(err).toMatch(message);
    expect(code).toBe(1);
  });
});

/** Follows a server. @returns the cursors so far and the losses, when there is the first loss. */
async function followed(respond: RequestListener, until: (cursors: string[], lost: string[]) => boolean) {
  const cursors: string[] = [];
  const lost: string[] = [];
  const { promise: lostOne, resolve } = Promise.withResolvers<void>();
  const events = followEvents(
    { url: await serve(respond), authorization: async () => 'ApiKey pk_secret' },
    {
      types: [],
      cursor: undefined,
      onLost(reason) {
        lost.push(reason);
        if (until(cursors, lost)) resolve();
      },
    },
  );
  const reading = (async () => {
    for await (const { cursor } of events) {
      cursors.push(cursor);
      if (until(cursors, lost)) return;
    }
  })();
  await Promise.race([lostOne, reading]);
  return { cursors, lost };
}

test('a response that is cut is a lost connection, and the next one is used', async () => {
  let asked = 0;
  const { cursors, lost } = await followed(
    (_request, response) => {
      asked += 1;
      if (asked > 1) sendPage(response);
      else response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy());
    },
    (reached) => reached.length > 0,
  );
  expect(lost).toHaveLength(1);
  expect(cursors).toEqual(['here']);
});

test('an event without an end is given up', async () => {
  const { lost } = await followed(
    (request, response) => {
      if (!wantsStream(request)) {
        sendPage(response);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: ');
      writeEndlessly(response, 'x'.repeat(16_384));
    },
    (_, losses) => losses.length > 0,
  );
  expect(lost[0]).toMatch(/buffer/i);
});

test.each([
  ['3', 3000],
  ['99999', 60_000],
  ['-1', 0],
  ['soon', 0],
])('Retry-After: %s', async (header, pause) => {
  const url = await serve((_request, response) => response.writeHead(429, { 'retry-after': header }).end());
  await expect(send(url, {})).rejects.toMatchObject({ pause });
});

test('events are printed without control characters, and forwarded to exactly the given URL', async () => {
  const receiver = await openReceiver();
  const item = JSON.stringify({
    id: 1,
    type: 'a\u001b]0;b\u0007\u009b2J',
    created_at: 'now',
    data: '\u009b1m',
  });
  const url = await serve((request, response) => {
    if (!wantsStream(request)) sendPage(response);
    else
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`id: next\ndata: ${item}\n\n`);
  });
  const listener = await servers.launch({
    env: { PORTICO_KEY: 'pk_secret' },
    program: ['bin/portico.js', 'listen', '--server', `${url}/`, '--forward-to', `${receiver.url}/`],
  });
  await waitUntil(() => listener.stdout.includes('now 1'), 'the event');
  expect(receiver.received[0]?.path).toBe('/hooks/');
  expect(listener.stdout).toContain('now 1 a\\u001b]0;b\\u0007\\u009b2J {');
  expect(listener.stdout).not.toMatch(/(?!\n)\p{Cc}/u);
});
