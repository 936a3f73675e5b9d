/**
 * Mutual TLS over real sockets, with certificates from openssl: the separate port, sessions, renewed files,
 * streams and bound tokens.
 */
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { describeOnSqlite } from '../support/engines.ts';
import { ACCEPT } from '../support/mcp.ts';
import { freePort, manageServers, type ServerProcess, waitUntil } from '../support/process.ts';
import { Authority, type Issued, openTls, sendTls, type TlsRequest } from '../support/tls.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const EVENTS = { accept: 'text/event-stream' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

// The scenarios of client certificates read them on both engines; this is about connections.
describeOnSqlite('client certificates', (engine) => {
  const servers = manageServers(afterAll);
  const certificates: Record<string, Issued> = {};
  let authority: Authority;
  let stranger: Issued;
  let ca: string;
  let server: ServerProcess;
  let certifiedPort: number;
  let files: Record<'cert' | 'key' | 'crl', string>;
  let admin: string;

  const issue = (names: string, isExpired = false) => authority.issue({ names, isExpired });
  const shown = (name: string) => certificates[name] as Issued;
  const send = (request: Partial<TlsRequest> & Pick<TlsRequest, 'path'>) =>
    sendTls({ port: certifiedPort, ca, ...request });
  const post = (path: string, body: object, request: Partial<TlsRequest> = {}) =>
    send({
      port: server.port,
      path,
      method: 'POST',
      body: JSON.stringify(body),
      ...request,
      headers: { ...JSON_BODY, ...request.headers },
    });
  const asAdmin = () => ({ authorization: `Bearer ${admin}` });
  const register = async (match: object, wish: object = {}) => {
    const body = { name: 'ci', match, scopes: ['read:orders', 'read:feed'], ...wish };
    const response = await post('/v1/client-certificates', body, { headers: asAdmin() });
    expect(response.status, response.text).toBe(201);
    return JSON.parse(response.text) as { id: number };
  };
  const revoke = (id: number) =>
    send({ port: server.port, path: `/v1/client-certificates/${id}`, method: 'DELETE', headers: asAdmin() });
  const order = (request: Partial<TlsRequest> = {}) => send({ path: '/v1/orders/1', ...request });
  const codeOf = (response: { text: string }) => JSON.parse(response.text).error?.code;

  beforeAll(async () => {
    const directory = await servers.directory();
    authority = await Authority.found(await servers.directory());
    const other = await Authority.found(await servers.directory());
    stranger = await other.issue({ names: 'DNS:ci.acme.example' });
    ca = await authority.ca();
    const own = await issue('DNS:localhost,IP:127.0.0.1');
    files = { cert: join(directory, 'cert.pem'), key: join(directory, 'key.pem'), crl: authority.crlFile };
    await copyFile(own.certFile, files.cert);
    await copyFile(own.keyFile, files.key);
    await authority.publishRevoked();
    certificates['good'] = await issue('DNS:CI.acme.example,URI:spiffe://acme.example/ci');
    certificates['expired'] = await issue('DNS:ci.acme.example', true);
    certificates['unknown'] = await issue('DNS:unknown.acme.example');
    const database = await engine.create('bare');
    certifiedPort = await freePort();
    server = await servers.launch({
      env: {
        DATABASE_URL: database.url,
        TLS_CERT_FILE: files.cert,
        TLS_KEY_FILE: files.key,
        MTLS_PORT: String(certifiedPort),
        MTLS_CA_FILE: authority.caFile,
        MTLS_CRL_FILE: files.crl,
      },
    });
    const ready = () =>
      send({ port: server.port, path: '/readyz' }).then(
        ({ status }) => status === 200,
        () => false,
      );
    await waitUntil(ready, 'the server to be ready');
    const login = await post('/v1/auth/login', { email: 'ada@acme.test', password: 'portico-demo' });
    admin = JSON.parse(login.text).access_token;
    await register({ san_dns: 'ci.acme.example' });
  });

  describe('on the port for client certificates', () => {
    test('a registered certificate acts for its registrant, within its scopes', async () => {
      const response = await order({ shown: shown('good') });
      expect([response.status, JSON.parse(response.text).id]).toEqual([200, 1]);
      const refused = await send({ path: '/v1/users/1', shown: shown('good') });
      expect([refused.status, codeOf(refused)]).toEqual([403, 'insufficient_scope']);
      const graph = await post(
        '/graphql',
        { query: '{ order(id: 1) { id } }' },
        { port: certifiedPort, shown: shown('good') },
      );
      expect(JSON.parse(graph.text).data).toEqual({ order: { id: '1' } });
      const call = { name: 'get_order', arguments: { order_id: 1 } };
      const agent = await post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
        { port: certifiedPort, shown: shown('good'), headers: ACCEPT },
      );
      expect([agent.status, agent.text]).toEqual([
        200,
        expect.stringContaining('"structuredContent":{"id":1,'),
      ]);
    });

    test.each([
      ['none', undefined],
      ['a certificate of another authority', () => stranger],
      ['an expired certificate', () => shown('expired')],
    ])('%s is refused at the handshake', async (_name, certificate) => {
      await expect(order({ shown: certificate?.() })).rejects.toThrow();
    });

    test('an unregistered certificate returns 401, and is anonymous where no caller is required', async () => {
      const refused = await order({ shown: shown('unknown') });
      expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_token']);
      expect((await send({ path: '/healthz', shown: shown('unknown') })).status).toBe(200);
    });

    test('a revoked registration returns 401 at once, also on open connections', async () => {
      const certificate = await issue('DNS:soon-revoked.acme.example');
      const { id } = await register({ thumbprint: certificate.fingerprint });
      const agent = new Agent({ keepAlive: true });
      expect((await order({ shown: certificate, agent })).status).toBe(200);
      expect((await revoke(id)).status).toBe(204);
      const refused = await order({ shown: certificate, agent });
      expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_token']);
      agent.destroy();
    });

    test('the Authorization header takes precedence over the certificate', async () => {
      const headers = { authorization: 'Bearer nothing' };
      expect(codeOf(await order({ shown: shown('good'), headers }))).toBe('invalid_token');
      const response = await send({ path: '/v1/users/1', shown: shown('good'), headers: asAdmin() });
      expect(response.status).toBe(200);
    });

    test.each([
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ])(
      'a page of another site cannot use it, although browsers present it for any page: %j',
      async (headers) => {
        const response = await order({ shown: shown('good'), headers: headers as Record<string, string> });
        expect([response.status, codeOf(response)]).toEqual([401, 'unauthenticated']);
      },
    );

    test('when it is revoked, an export continues, and a stream ends with 4403', async () => {
      const certificate = await issue('DNS:streams.acme.example');
      const { id } = await register({ san_dns: 'streams.acme.example' });
      const csv = await send({ path: '/v1/orders', shown: certificate, headers: { accept: 'text/csv' } });
      expect([csv.status, csv.text.startsWith('id,')]).toEqual([200, true]);
      const socket = await follow(certificate);
      const feed = await openTls({
        port: certifiedPort,
        ca,
        path: '/feed',
        shown: certificate,
        headers: EVENTS,
      });
      // It may close before the response to the change arrives.
      const closed = once(socket, 'close');
      await revoke(id);
      const [code] = await closed;
      expect(code).toBe(4403);
      expect(await text(feed)).toContain('event: end');
    });
  });

  test('the main port requests no certificate', async () => {
    const refused = await order({ port: server.port, shown: shown('good') });
    expect([refused.status, codeOf(refused)]).toEqual([401, 'unauthenticated']);
  });

  test('a session of the main port is not resumed on the other', async () => {
    const sessionOn = async (port: number, options: object) => {
      const socket = connect({ host: '127.0.0.1', servername: 'localhost', port, ca, ...options });
      socket.on('error', () => {});
      return socket;
    };
    const first = await sessionOn(server.port, {});
    const [session] = await once(first, 'session');
    first.destroy();
    const second: TLSSocket = await sessionOn(certifiedPort, { session });
    second.write('GET /v1/orders/1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const data: Buffer[] = [];
    second.on('data', (part: Buffer) => data.push(part));
    await new Promise((resolve) => second.once('close', resolve));
    expect(data).toEqual([]);
  });

  test('a token that is bound to a certificate is valid only with it, on every door', async () => {
    const certificate = await issue('URI:spiffe://ledger.example/sync');
    const made = await post(
      '/v1/apps',
      {
        name: 'Ledger Sync',
        type: 'service',
        scopes: ['read:orders', 'read:feed'],
        certificate: { san_uri: 'spiffe://ledger.example/sync' },
      },
      { headers: asAdmin() },
    );
    const { client_id: clientId } = JSON.parse(made.text);
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId }).toString();
    const ask = (given?: Issued) =>
      send({ path: '/oauth/token', method: 'POST', headers: FORM, body, shown: given });
    expect((await ask(shown('good'))).status).toBe(401);
    const granted = await ask(certificate);
    expect(granted.status, granted.text).toBe(200);
    const headers = { authorization: `Bearer ${JSON.parse(granted.text).access_token}` };

    expect((await order({ shown: certificate, headers })).status).toBe(200);
    for (const where of [{ shown: shown('good') }, { port: server.port }]) {
      expect((await order({ ...where, headers })).status).toBe(401);
      const graph = await post('/graphql', { query: '{ order(id: 1) { id } }' }, { ...where, headers });
      expect(JSON.parse(graph.text).errors[0].extensions.code).toBe('invalid_token');
      const feed = await send({
        path: '/feed',
        ...where,
        headers: { ...headers, accept: 'text/event-stream' },
      });
      expect(feed.status).toBe(401);
      const socket = opened(where.shown, headers, where.port);
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'connection_init' }));
      expect((await once(socket, 'close'))[0]).toBe(4403);
    }
    const socket = opened(certificate, headers);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init' }));
    expect(String((await once(socket, 'message'))[0])).toBe('{"type":"connection_ack"}');
    socket.terminate();
  });

  describe('when files change', () => {
    /** The names in the server's certificate. */
    const namesShown = async () => {
      const socket = connect({ host: '127.0.0.1', servername: 'localhost', port: server.port, ca });
      await once(socket, 'secureConnect');
      const names = socket.getPeerX509Certificate()?.subjectAltName ?? '';
      socket.destroy();
      return names;
    };

    test('the server presents the new certificate, and no request fails', async () => {
      const next = await issue('DNS:localhost,IP:127.0.0.1,DNS:renewed.example');
      const seen = new Set<string>();
      const failures: unknown[] = [];
      let isOver = false;
      const agent = new Agent({ keepAlive: true });
      const clients = [undefined, undefined, agent].map(async (own) => {
        while (!isOver) {
          await order({ shown: shown('good'), ...(own && { agent: own }) }).then(
            ({ status }) => status === 200 || failures.push(status),
            (error: unknown) => failures.push(error),
          );
        }
      });
      await copyFile(next.certFile, files.cert);
      await copyFile(next.keyFile, files.key);
      const shownNow = async () => {
        const names = await namesShown();
        seen.add(names);
        return names.includes('renewed.example');
      };
      await waitUntil(shownNow, 'the new certificate to be presented');
      isOver = true;
      await Promise.all(clients);
      agent.destroy();
      expect(failures).toEqual([]);
      expect(seen.size).toBeGreaterThan(0);
    });

    test('invalid files change nothing', async () => {
      const lines = () => server.stdout.split('have become unusable').length;
      const before = lines();
      const next = await issue('DNS:localhost,IP:127.0.0.1,DNS:next.example');
      await copyFile(authority.caFile, files.cert);
      await waitUntil(() => lines() > before, 'the failure to be logged');
      expect((await order({ shown: shown('good') })).status).toBe(200);
      // Sessions from before a change are not resumed, so the following checks wait for it.
      await copyFile(next.certFile, files.cert);
      await copyFile(next.keyFile, files.key);
      await waitUntil(async () => (await namesShown()).includes('next.example'), 'the next certificate');
    });

    test('a certificate revoked by its authority gets no new connection, and no resumed session', async () => {
      const certificate = await issue('DNS:revoked-by-crl.acme.example');
      await register({ san_dns: 'revoked-by-crl.acme.example' });
      const agent = new Agent({ maxCachedSessions: 10 });
      expect((await order({ shown: certificate, agent })).isResumed).toBe(false);
      expect((await order({ shown: certificate, agent })).isResumed).toBe(true);
      const kept = new Agent({ keepAlive: true });
      expect((await order({ shown: certificate, agent: kept })).headers['connection']).not.toBe('close');
      await authority.publishRevoked(certificate);
      const isRefused = () =>
        order({ shown: certificate }).then(
          () => false,
          () => true,
        );
      await waitUntil(isRefused, 'the revocation to apply');
      await expect(order({ shown: certificate, agent })).rejects.toThrow();
      // An earlier connection closes after its next response.
      expect((await order({ shown: certificate, agent: kept })).headers['connection']).toBe('close');
      await expect(order({ shown: certificate, agent: kept })).rejects.toThrow();
      expect((await order({ shown: shown('good') })).status).toBe(200);
      for (const each of [agent, kept]) each.destroy();
    });
  });

  test('the server shuts down gracefully', async () => {
    const idle = connect({ host: '127.0.0.1', servername: 'localhost', port: server.port, ca });
    idle.on('error', () => {});
    await once(idle, 'secureConnect');
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  function opened(
    certificate: Issued | undefined,
    headers: Record<string, string> = {},
    port = certifiedPort,
  ) {
    const { cert, key } = certificate ?? {};
    return new WebSocket(`wss://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
      ca,
      headers,
      ...(cert && { cert }),
      ...(key && { key }),
    });
  }

  /** Opens a subscription. */
  async function follow(certificate: Issued): Promise<WebSocket> {
    const socket = opened(certificate);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init' }));
    await once(socket, 'message');
    const payload = { query: 'subscription { activity { id } }' };
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
    return socket;
  }
});
