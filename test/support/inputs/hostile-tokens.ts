/**
 * Tokens that the server must refuse, each for one reason. If possible, they are signed with the server's own key, so that they are
 * refused for their content and not for their signature.
 */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { Keys } from '../../../src/auth/keys.ts';
import type { Clock } from '../../../src/core/clock.ts';

/** The means to forge tokens: far more than an attacker has. */
export interface Forge {
  readonly keys: Pick<Keys, 'signing' | 'publicJwks'>;
  readonly clock: Clock;
  readonly issuer: string;
  readonly audience: string;
  /** Issues a valid token for {@link GOOD_SUBJECT}. */
  issue(): Promise<string>;
}

type Make = (forge: Forge) => string | Promise<string>;
type Claims = Record<string, unknown>;

export const GOOD_SUBJECT = {
  userId: 2,
  org: 'acme',
  role: 'editor',
  scopes: ['read:docs', 'write:docs'],
} as const;

const base64url = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const inSeconds = ({ clock }: Forge, offset: number) => clock().getTime() / 1000 + offset;

function good(forge: Forge): Claims {
  const { userId, ...rest } = GOOD_SUBJECT;
  const times = { iat: inSeconds(forge, 0), exp: inSeconds(forge, 900) };
  return { ...rest, ...times, sub: String(userId), iss: forge.issuer, aud: forge.audience, jti: 'a' };
}

/** Creates a token with the server's own signature. It is valid unless the header or the claims are changed. */
export async function signed(
  forge: Forge,
  header: Claims = {},
  claims: Claims | string = {},
): Promise<string> {
  const { kid, privateKey } = await forge.keys.signing();
  const head = base64url({ alg: 'EdDSA', typ: 'at+jwt', kid, ...header });
  const body = base64url(typeof claims === 'string' ? claims : { ...good(forge), ...claims });
  const signature = await crypto.subtle.sign('Ed25519', privateKey, Buffer.from(`${head}.${body}`));
  return `${head}.${body}.${Buffer.from(signature).toString('base64url')}`;
}

const without =
  (claim: string): Make =>
  (forge) =>
    signed(forge, {}, { [claim]: undefined });

const claiming =
  (claims: Claims): Make =>
  (forge) =>
    signed(forge, {}, claims);

const headed =
  (header: Claims): Make =>
  (forge) =>
    signed(forge, header);

function publicJwk({ keys }: Forge) {
  const [jwk] = keys.publicJwks().keys;
  if (!jwk) throw new Error('The server has no public key.');
  return jwk;
}

/** A token that is signed with a foreign key, whose header offers the key for its verification. */
const foreign =
  (header: (jwk: Claims, ourKid: string) => Claims): Make =>
  async (forge) => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'theirs', alg: 'EdDSA', use: 'sig' };
    // The payload is invalid on purpose, so it does not have the library's type.
    return new SignJWT(good(forge) as JWTPayload)
      .setProtectedHeader({
        alg: 'EdDSA',
        typ: 'at+jwt',
        kid: jwk.kid,
        ...header(jwk, publicJwk(forge).kid),
      })
      .sign(privateKey);
  };

/** A token whose HMAC key is taken from the public JWKS. */
const hmacWithPublicKey =
  (secretOf: (jwk: { x: string }) => string): Make =>
  (forge) => {
    const jwk = publicJwk(forge);
    return new SignJWT(good(forge) as JWTPayload)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: jwk.kid })
      .sign(Buffer.from(secretOf(jwk), 'base64url'));
  };

const unsigned =
  (alg: string, signature = ''): Make =>
  async (forge) => {
    const { kid } = await forge.keys.signing();
    return `${base64url({ alg, typ: 'at+jwt', kid })}.${base64url(good(forge))}.${signature}`;
  };

/** Changes the last character without changing the signature: the encoding of 64 bytes has 4 unused bits there. */
function nextLetter(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}

export const HOSTILE_TOKENS: readonly (readonly [name: string, make: Make])[] = [
  ['algorithm none', unsigned('none')],
  ['algorithm None', unsigned('None')],
  ['algorithm NONE', unsigned('NONE')],
  ['algorithm none with a signature of the right length', unsigned('none', 'A'.repeat(86))],
  ['algorithm none under our signature', headed({ alg: 'none' })],
  ['HS256 with the public x as secret', hmacWithPublicKey((jwk) => jwk.x)],
  ['HS256 with the public JWK as secret', hmacWithPublicKey((jwk) => base64url(jwk))],
  ['HS256 under our signature', headed({ alg: 'HS256' })],
  ['ES256 under our signature', headed({ alg: 'ES256' })],
  ['another name of our algorithm', headed({ alg: 'Ed25519' })],
  ['no algorithm', headed({ alg: undefined })],
  ['an algorithm that is a list', headed({ alg: ['EdDSA'] })],

  ['an embedded jwk of its own', foreign((jwk) => ({ jwk }))],
  ['an embedded jwk and our kid', foreign((jwk, kid) => ({ jwk, kid }))],
  ['a jku', foreign(() => ({ jku: 'https://evil.test/jwks.json' }))],
  ['an x5u', foreign(() => ({ x5u: 'https://evil.test/key.pem' }))],
  ['an x5c', foreign(() => ({ x5c: ['MIIB'] }))],
  ['another key under our kid', foreign((_jwk, kid) => ({ kid }))],
  ['a jwk under our signature', headed({ jwk: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } })],
  ['a jku under our signature', headed({ jku: 'https://evil.test/jwks.json' })],
  ['a crit that asks for nothing known', headed({ crit: ['exp'], exp: 1 })],
  ['an unencoded payload', headed({ crit: ['b64'], b64: false })],

  ['no kid', headed({ kid: undefined })],
  ['an unknown kid', headed({ kid: 'unknown' })],
  ['a kid like a path', headed({ kid: '../../../../etc/passwd' })],
  ['a kid like SQL', headed({ kid: "' or 1=1 --" })],
  ['a kid named __proto__', headed({ kid: '__proto__' })],
  ['a kid named constructor', headed({ kid: 'constructor' })],
  ['a kid that is a number', headed({ kid: 1 })],
  ['a kid that is a list', headed({ kid: ['a'] })],
  ['a kid of 10 KB', headed({ kid: 'k'.repeat(10_240) })],

  ['no typ', headed({ typ: undefined })],
  ['the typ of another JWT', headed({ typ: 'JWT' })],
  ['the typ in another spelling', headed({ typ: 'application/at+jwt' })],
  ['a typ that is a number', headed({ typ: 1 })],

  ['exp as a string', (forge) => signed(forge, {}, { exp: String(inSeconds(forge, 900)) })],
  [
    'exp of 1e400',
    (forge) => signed(forge, {}, JSON.stringify(good(forge)).replace(/"exp":\d+/, '"exp":1e400')),
  ],
  ['exp null', claiming({ exp: null })],
  ['no exp', without('exp')],
  ['nbf in the future', (forge) => signed(forge, {}, { nbf: inSeconds(forge, 60) })],
  ['nbf as a string', claiming({ nbf: 'now' })],
  ['iat as a string', claiming({ iat: 'now' })],
  ['no iat', without('iat')],
  ['another issuer', (forge) => signed(forge, {}, { iss: `${forge.issuer}/` })],
  ['an issuer that is a list', (forge) => signed(forge, {}, { iss: [forge.issuer] })],
  ['no issuer', without('iss')],
  ['another audience', claiming({ aud: 'https://other.test' })],
  ['an audience that is a number', claiming({ aud: 1 })],
  ['no audience', without('aud')],

  ['no subject', without('sub')],
  ['a subject that is a number', claiming({ sub: 2 })],
  ['a subject that is no id', claiming({ sub: 'ada' })],
  ['a subject of 0', claiming({ sub: '0' })],
  ['a subject below 0', claiming({ sub: '-1' })],
  ['a subject with a fraction', claiming({ sub: '2.0' })],
  ['a subject with an exponent', claiming({ sub: '2e0' })],
  ['a subject with a space', claiming({ sub: '2 ' })],
  ['a subject beyond exact integers', claiming({ sub: '9007199254740993' })],
  ['no organisation', without('org')],
  ['an empty organisation', claiming({ org: '' })],
  ['an organisation that is a list', claiming({ org: ['acme'] })],
  ['no role', without('role')],
  ['a role that does not exist', claiming({ role: 'owner' })],
  ['a role in another spelling', claiming({ role: 'Admin' })],
  ['a role named __proto__', claiming({ role: '__proto__' })],
  ['a role that is a list', claiming({ role: ['admin'] })],
  ['a role that is an object', claiming({ role: { toString: 'admin' } })],
  ['no scopes', without('scopes')],
  ['scopes as one string', claiming({ scopes: 'read:docs write:docs' })],
  ['scopes as an object', claiming({ scopes: { 0: 'read:docs', length: 1 } })],
  ['scopes null', claiming({ scopes: null })],
  ['a scope that is a number', claiming({ scopes: ['read:docs', 1] })],
  ['a scope that is a list', claiming({ scopes: [['read:docs']] })],
  ['a scope that does not exist', claiming({ scopes: ['read:docs', 'read:everything'] })],
  ['a scope beyond the role', claiming({ scopes: ['write:users'] })],
  ['a scope beyond a viewer', claiming({ role: 'viewer', scopes: ['write:docs'] })],
  ['no jti', without('jti')],
  ['a jti that is a number', claiming({ jti: 1 })],

  ['a payload that is a list', (forge) => signed(forge, {}, '[]')],
  ['a payload that is null', (forge) => signed(forge, {}, 'null')],
  ['a payload that is not JSON', (forge) => signed(forge, {}, '{"sub":')],
  ['an empty payload', (forge) => signed(forge, {}, '')],
  ['an empty string', () => ''],
  ['a refresh token', () => `prt_${'A'.repeat(43)}`],
  ['three dots', () => '...'],
  ['dots and nothing', () => '..'],
  ['something else entirely', () => 'portico-demo'],
  ['no signature', async ({ issue }) => (await issue()).replace(/[^.]*$/, '')],
  ['two parts', async ({ issue }) => (await issue()).replace(/\.[^.]*$/, '')],
  ['a truncated signature', async ({ issue }) => (await issue()).slice(0, -1)],
  ['half a token', async ({ issue }) => (await issue()).slice(0, 100)],
  ['one character more', async ({ issue }) => `${await issue()}A`],
  ['a fourth part', async ({ issue }) => `${await issue()}.e30`],
  ['a fifth part', async ({ issue }) => `${await issue()}.e30.e30`],
  ['padding', async ({ issue }) => `${await issue()}==`],
  ['a space before', async ({ issue }) => ` ${await issue()}`],
  ['a newline after', async ({ issue }) => `${await issue()}\n`],
  ['a space within', async ({ issue }) => (await issue()).replace('.', '. ')],
  ['a newline within', async ({ issue }) => (await issue()).replace('.', '.\n')],
  ['a NUL after', async ({ issue }) => `${await issue()}\0`],
  ['the scheme before', async ({ issue }) => `Bearer ${await issue()}`],
  [
    'another payload',
    async (forge) =>
      (await forge.issue()).replace(/\.[^.]*\./, `.${base64url({ ...good(forge), role: 'admin' })}.`),
  ],
  ['a signature in another spelling', async ({ issue }) => (await issue()).replace(/.$/, nextLetter)],
  [
    'the signature of another token',
    async ({ issue }) => `${(await issue()).replace(/[^.]*$/, '')}${(await issue()).split('.')[2]}`,
  ],
  ['100 KB', () => `e30.${'A'.repeat(100_000)}.${'A'.repeat(86)}`],
];
