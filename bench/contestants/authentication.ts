import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';

/** An authenticated caller. */
export interface Caller {
  readonly userId: number;
  readonly org: string;
  readonly scopes: ReadonlySet<string>;
  /** When the token expires, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** The maximum number of cached tokens. */
const CAPACITY = 10_000;

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

export type Authenticate = (header: string | undefined) => Caller | undefined | Promise<Caller | undefined>;

/** Verifies access tokens with Portico's keys, and caches the valid ones until they expire. */
export async function createAuthentication(keysFile: string, publicUrl: string): Promise<Authenticate> {
  // `loadKeys` wrote and validated this file.
  const keys = createLocalJWKSet(publicPart(JSON.parse(await readFile(keysFile, 'utf8')) as JSONWebKeySet));
  const known = new Map<string, Caller>();

  const verify = async (token: string): Promise<Caller | undefined> => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        issuer: publicUrl,
        audience: publicUrl,
      });
      const { sub, org, scopes, exp } = payload;
      if (typeof org !== 'string' || !Array.isArray(scopes) || exp === undefined) return undefined;
      const caller = { userId: Number(sub), org, scopes: new Set(scopes.map(String)), endsAt: exp * 1000 };
      if (known.size >= CAPACITY) known.clear();
      known.set(token, caller);
      return caller;
    } catch {
      return undefined;
    }
  };

  return (header) => {
    const token = header === undefined ? undefined : BEARER.exec(header)?.[1];
    if (token === undefined) return undefined;
    const caller = known.get(token);
    if (caller === undefined) return verify(token);
    if (Date.now() < caller.endsAt) return caller;
    known.delete(token);
    return undefined;
  };
}

function publicPart({ keys }: JSONWebKeySet): JSONWebKeySet {
  return { keys: keys.map(({ d: _secret, ...rest }) => rest) };
}
