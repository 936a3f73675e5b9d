/** What clients may use once at the authorization server, and what a refused request does not use up. */
import { calculateJwkThumbprint, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { type AppBody, Browser, basic, clientOf, oauthClient, REDIRECT } from '../support/oauth.ts';

/** Milliseconds for which oidc-provider accepts a proof of possession before and after its date. */
const PROOF_WINDOW = 300_000;

describeEachEngine('the authorization server', (engine) => {
  const app = startApp(engine, { realTime: true });
  const { http, server, createApp, authorization, tokensFor } = oauthClient(app);

  const token = async (
    form: Record<string, string> | readonly (readonly [string, string])[],
    headers: Record<string, string> = {},
  ) => {
    const body = new URLSearchParams(form as Record<string, string> | [string, string][]);
    const response = await fetch(`${app.url}/oauth/token`, { method: 'POST', body, headers });
    return { status: response.status, body: Object(await response.json()) };
  };
  const secretOf = ({ client_id, client_secret }: AppBody) => ({ client_id, client_secret });

  /** Consents to an authorization request, and returns the form that exchanges its code. */
  const codeFormOf = async (
    made: AppBody,
    { verifier, url }: Awaited<ReturnType<typeof authorization>>,
  ): Promise<Record<string, string>> => {
    const back = await new Browser(app).consent(url.href, 'ed');
    return {
      ...secretOf(made),
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    };
  };

  test('exchanges a code after requests that a client can correct, and those of other clients', async () => {
    const made = await createApp();
    const good = await codeFormOf(made, await authorization(made));
    const attempts: [object, number, string][] = [
      [{ client_secret: 'pas_wrong' }, 401, 'invalid_client'],
      [secretOf(await createApp()), 400, 'invalid_grant'],
      [{ code_verifier: '' }, 400, 'invalid_grant'],
      [{ code_verifier: 'short' }, 400, 'invalid_request'],
      [{ code_verifier: oauth.generateRandomCodeVerifier() }, 400, 'invalid_grant'],
      [{ redirect_uri: '' }, 400, 'invalid_request'],
      [{ redirect_uri: 'https://elsewhere.example' }, 400, 'invalid_grant'],
      [{ resource: 'https://elsewhere.example' }, 400, 'invalid_target'],
      [{ resource: `${PUBLIC_URL}/mcp` }, 400, 'invalid_target'],
    ];
    for (const [part, status, error] of attempts) {
      const refused = await token({ ...good, ...part });
      expect([refused.status, refused.body.error], JSON.stringify(part)).toEqual([status, error]);
    }
    expect((await token(good, { dpop: 'none' })).body.error).toBe('invalid_dpop_proof');
    expect((await token(good)).status).toBe(200);
  });

  const proofWith = async (keys: Awaited<ReturnType<typeof newKeys>>, jti: string, issuedAt = new Date()) => {
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey);
    // A key of an elliptic curve has these members.
    const jwk = { kty: kty ?? '', crv: crv ?? '', x: x ?? '', y: y ?? '' };
    const proof = await new SignJWT({ htm: 'POST', htu: `${PUBLIC_URL}/oauth/token`, jti })
      .setIssuedAt(issuedAt)
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(keys.privateKey);
    return { dpop: proof, jkt: await calculateJwkThumbprint(jwk) };
  };
  const newKeys = () => oauth.generateKeyPair('ES256', { extractable: true });

  test('exchanges a code that is bound to a key after requests without this key', async () => {
    const made = await createApp();
    const keys = await newKeys();
    const { dpop, jkt } = await proofWith(keys, 'right');
    const form = await codeFormOf(made, await authorization(made, { dpop_jkt: jkt }));
    expect((await token(form)).body.error).toBe('invalid_grant');
    const other = await proofWith(await newKeys(), 'other');
    expect((await token(form, { dpop: other.dpop })).body.error).toBe('invalid_grant');
    expect((await token(form, { dpop })).body.token_type).toBe('DPoP');
  });

  test('exchanges a code after a request with a proof of possession that was used before', async () => {
    const made = await createApp();
    const { dpop } = await proofWith(await newKeys(), 'used');
    const first = await codeFormOf(made, await authorization(made));
    expect((await token(first, { dpop })).status).toBe(200);
    const form = await codeFormOf(made, await authorization(made));
    expect((await token(form, { dpop })).body.error).toBe('invalid_dpop_proof');
    const { dpop: fresh } = await proofWith(await newKeys(), 'fresh');
    expect((await token(form, { dpop: fresh })).body.token_type).toBe('DPoP');
  });

  describe('keeps a refresh token', () => {
    const refreshing = async () => {
      const made = await createApp();
      const { refresh_token = '' } = await tokensFor(made, 'ed', 'read:orders offline_access');
      return { ...secretOf(made), grant_type: 'refresh_token', refresh_token };
    };
    const mcp = ['resource', `${PUBLIC_URL}/mcp`] as const;
    const elsewhere = ['resource', 'https://elsewhere.example'] as const;

    test.each([
      ['another resource', [elsewhere]],
      ['a resource that was not requested', [mcp]],
      ['several resources, one of them unknown', [['resource', PUBLIC_URL], elsewhere] as const],
    ])('that is sent for %s', async (_title, resources) => {
      const form = await refreshing();
      const refused = await token([...Object.entries(form), ...resources]);
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
      // After this, a token that was used would end the grant.
      app.clock.advance(LIMITS.refreshReplayWindow + 1);
      expect((await token(form)).status).toBe(200);
    });

    test('that is sent with a proof of possession that was used before', async () => {
      const form = await refreshing();
      const { dpop } = await proofWith(await newKeys(), 'twice');
      const first = await token(form, { dpop });
      const { refresh_token } = first.body;
      // Not `invalid_grant`, for which clients discard the token.
      const again = await token({ ...form, refresh_token }, { dpop });
      expect([first.status, again.status, again.body.error]).toEqual([200, 400, 'invalid_dpop_proof']);
      expect((await token({ ...form, refresh_token })).status).toBe(200);
    });
  });

  test('issues a token for one of several resources that were requested', async () => {
    const made = await createApp();
    const asked = await authorization(made, { resource: `${PUBLIC_URL}/mcp` });
    asked.url.searchParams.append('resource', `${PUBLIC_URL}/`);
    const { status, body } = await token(await codeFormOf(made, asked));
    expect(status, body.error).toBe(200);
  });

  describe('accepts once', () => {
    test('a client assertion, of parallel requests too', async () => {
      const keys = await oauth.generateKeyPair('ES256', { extractable: true });
      const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey);
      const jwks = { keys: [{ kty, crv, x, y, alg: 'ES256' }] };
      const made = await createApp({ type: 'service', redirect_uris: [], scopes: ['read:orders'], jwks });
      const now = Math.floor(Date.now() / 1000);
      const ask = async (claims: object) => {
        const all = {
          iss: made.client_id,
          sub: made.client_id,
          aud: PUBLIC_URL,
          iat: now,
          exp: now + 60,
          ...claims,
        };
        return token({
          grant_type: 'client_credentials',
          client_id: made.client_id,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await new SignJWT(all).setProtectedHeader({ alg: 'ES256' }).sign(keys.privateKey),
        });
      };
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ jti: 'one' })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([
        200, 401, 401, 401, 401, 401, 401, 401,
      ]);
      expect((await ask({ jti: 'one' })).body.error).toBe('invalid_client');
      expect((await ask({ jti: 'two' })).status).toBe(200);
      for (const wrong of [
        {},
        { jti: 'three', exp: undefined },
        { jti: 'three', iat: now - 200, exp: now - 100 },
        { jti: 'three', nbf: now + 600 },
        { jti: 'three', exp: now + 2 * 3600 },
        { jti: 'three', exp: 8.64e12 },
        { jti: 'three', iat: now + 600, exp: now + 700 },
        { jti: 'x'.repeat(9000) },
        { jti: 3 },
        { jti: 'three', aud: 'https://elsewhere.example' },
      ]) {
        expect((await ask(wrong)).body.error, JSON.stringify(wrong)).toBe('invalid_client');
      }
    });

    test('a proof of possession, of parallel requests too', async () => {
      const made = await createApp({ type: 'service', redirect_uris: [], scopes: ['read:orders'] });
      const { dpop } = await proofWith(await newKeys(), 'one');
      const form = { grant_type: 'client_credentials', ...secretOf(made) };
      const answers = await Promise.all(Array.from({ length: 8 }, () => token(form, { dpop })));
      const errors = answers.flatMap(({ status, body }) => (status === 200 ? [] : [body.error]));
      expect(errors).toEqual(Array.from({ length: 7 }, () => 'invalid_dpop_proof'));
    });

    test('a proof of possession that is dated ahead, for as long as it is accepted', async () => {
      const made = await createApp({ type: 'service', redirect_uris: [], scopes: ['read:orders'] });
      const ahead = PROOF_WINDOW - 60_000;
      const { dpop } = await proofWith(await newKeys(), 'ahead', new Date(Date.now() + ahead));
      const form = { grant_type: 'client_credentials', ...secretOf(made) };
      expect((await token(form, { dpop })).body.token_type).toBe('DPoP');
      // Records expire by this clock, while oidc-provider compares the date of the proof with the clock of the machine.
      app.clock.advance(PROOF_WINDOW + ahead);
      await app.janitor.sweep();
      expect((await token(form, { dpop })).body.error).toBe('invalid_dpop_proof');
    });

    test('a pushed authorization request, of its client', async () => {
      const made = await createApp();
      const { url } = await authorization(made);
      const pushed = await oauth.processPushedAuthorizationResponse(
        server,
        clientOf(made),
        await oauth.pushedAuthorizationRequest(server, clientOf(made), basic(made), url.searchParams, http),
      );
      const addressFor = ({ client_id }: AppBody) =>
        `${PUBLIC_URL}/oauth/authorize?${new URLSearchParams({ client_id, request_uri: pushed.request_uri })}`;
      const refused = await new Browser(app).visit(addressFor(await createApp()));
      expect([refused.status, refused.url.startsWith(PUBLIC_URL)]).toEqual([400, true]);
      const back = await new Browser(app).consent(addressFor(made), 'ed');
      expect(back.searchParams.get('code')).toMatch(/./);
      const again = await new Browser(app).visit(addressFor(made));
      expect([again.status, again.text.includes('invalid_request_uri')]).toEqual([400, true]);
    });
  });

  test('refreshes the tokens of a public client only with their key', async () => {
    const made = await createApp({ type: 'native' });
    const DPoP = oauth.DPoP(clientOf(made), await oauth.generateKeyPair('ES256'));
    const { verifier, url } = await authorization(made, { scope: 'read:orders offline_access' });
    const params = oauth.validateAuthResponse(
      server,
      clientOf(made),
      await new Browser(app).consent(url.href, 'ed'),
      'state-1',
    );
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      clientOf(made),
      await oauth.authorizationCodeGrantRequest(
        server,
        clientOf(made),
        oauth.None(),
        params,
        REDIRECT,
        verifier,
        {
          ...http,
          DPoP,
        },
      ),
    );
    const refresh = async (options: object) =>
      oauth.refreshTokenGrantRequest(server, clientOf(made), oauth.None(), tokens.refresh_token ?? '', {
        ...http,
        ...options,
      });
    const thief = oauth.DPoP(clientOf(made), await oauth.generateKeyPair('ES256'));
    for (const options of [{}, { DPoP: thief }]) {
      const refused = await refresh(options);
      expect([refused.status, Object(await refused.json()).error]).toEqual([400, 'invalid_grant']);
    }
    expect((await refresh({ DPoP })).status).toBe(200);
  });
});
