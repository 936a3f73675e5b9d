/** The official client library of the Model Context Protocol, with each revision, and with OAuth. */
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { type AppBody, Browser, fetchFrom, oauthClient, REDIRECT } from '../support/oauth.ts';

const MODES: readonly (readonly [title: string, mode: VersionNegotiationMode, revision: string])[] = [
  ['of the revision 2026-07-28', { pin: '2026-07-28' }, '2026-07-28'],
  ['of the earlier revisions', 'legacy', '2025-11-25'],
  ['that negotiates the revision', 'auto', '2026-07-28'],
];

const URL_OF_DOOR = new URL(`${PUBLIC_URL}/mcp`);

describeEachEngine('a client', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { createApp } = oauthClient(app);
  const send = (url: string | URL, init: object = {}) => fetchFrom(app)(String(url), init);

  const newClient = (mode: VersionNegotiationMode) =>
    new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });

  describe.each(MODES)('%s', (_title, mode, revision) => {
    const client = newClient(mode);

    beforeAll(async () => {
      const { token } = await app.signIn('ada');
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(URL_OF_DOOR, { fetch: send, requestInit }));
      return () => client.close();
    });

    test('agrees on a revision and receives instructions', () => {
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(client.getServerVersion()).toMatchObject({ name: 'portico', title: 'Portico' });
      expect(client.getInstructions()).toContain('"acme"');
    });

    test('lists and calls tools, and accepts their results by schema', async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('get_order');
      const { structuredContent } = await client.callTool({ name: 'get_order', arguments: { order_id: 1 } });
      expect(structuredContent).toEqual((await app.get('/v1/orders/1', { as: 'ada' })).body);
      const gone = await client.callTool({ name: 'delete_order', arguments: { order_id: 60 } });
      expect([gone.isError ?? false, gone.content]).toEqual([false, [{ type: 'text', text: 'Done.' }]]);
    });

    test('receives failures of tools as results, and protocol errors as errors', async () => {
      const failed = await client.callTool({ name: 'get_order', arguments: { order_id: 999 } });
      expect(failed).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('"not_found"') }],
      });
      await expect(client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32602 });
    });
  });

  describe('that is an OAuth app', () => {
    let made: AppBody;
    /** The URLs to which the person was redirected. */
    const sentTo: URL[] = [];
    const lastParameters = () => sentTo.at(-1)?.searchParams ?? new URLSearchParams();
    let tokens: StoredOAuthTokens | undefined;
    let verifier = '';
    let discovered: OAuthDiscoveryState | undefined;
    let provider: OAuthClientProvider;

    beforeAll(async () => {
      made = await createApp();
      provider = {
        redirectUrl: REDIRECT,
        clientMetadata: { redirect_uris: [REDIRECT], client_name: 'Ledger' },
        state: () => 'state-1',
        clientInformation: () => ({ client_id: made.client_id, client_secret: made.client_secret }),
        tokens: () => tokens,
        saveTokens(saved) {
          tokens = saved;
        },
        redirectToAuthorization(url) {
          sentTo.push(url);
        },
        saveCodeVerifier(saved) {
          verifier = saved;
        },
        codeVerifier: () => verifier,
        saveDiscoveryState(saved) {
          discovered = saved;
        },
        discoveryState: () => discovered,
      };
    });

    const transport = () =>
      new StreamableHTTPClientTransport(URL_OF_DOOR, { fetch: send, authProvider: provider });

    /** Grants the client what it requested. */
    async function authorize(at: StreamableHTTPClientTransport): Promise<void> {
      const back = await new Browser(app).consent(String(sentTo.at(-1)), 'ed');
      await at.finishAuth(back.searchParams);
    }

    test('discovers the authorization server, gets consent, and acts for the person', async () => {
      const refused = transport();
      await expect(newClient('auto').connect(refused)).rejects.toThrow('Unauthorized');
      expect(sentTo.map(({ href }) => href.split('?')[0])).toEqual([`${PUBLIC_URL}/oauth/authorize`]);
      expect(lastParameters().get('resource')).toBe(URL_OF_DOOR.href);
      expect(lastParameters().get('scope')).toContain('read:orders');
      await authorize(refused);

      const client = newClient('auto');
      await client.connect(transport());
      expect(client.getInstructions()).toContain('user_id 2');
      const { tools } = await client.listTools();
      // The scopes of the app that the person has granted.
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['get_order', 'create_order', 'get_user']));
      expect(names).not.toContain('list_documents');
      const items = [{ product_id: 1, qty: 1 }];
      const { structuredContent } = await client.callTool({
        name: 'create_order',
        arguments: { user_id: 2, items },
      });
      expect(structuredContent).toMatchObject({ user_id: 2, status: 'pending' });
      await client.close();
    });

    test('requests the missing scope after a call without it', async () => {
      const client = newClient('auto');
      await client.connect(transport());
      const refused = client.callTool({ name: 'list_documents', arguments: { org: 'acme' } });
      await expect(refused).rejects.toThrow();
      expect(sentTo).toHaveLength(2);
      expect(lastParameters().get('scope')?.split(' ')).toContain('read:docs');
      await client.close();
    });

    test('has tokens that are also valid for REST', async () => {
      const headers = { authorization: `Bearer ${tokens?.access_token}` };
      expect((await app.get('/v1/orders/1', { headers })).status).toBe(200);
    });
  });
});
