/** Passwords, tokens, keys and sessions. */
import { availableParallelism } from 'node:os';
import { DAY, KIB, MINUTE, SECOND } from './units.ts';

export const AUTH = {
  /** Lifetime of an access token in milliseconds. Short, since what revokes tokens is remembered that long (`presenceMemory`). */
  accessTokenLifetime: 15 * MINUTE,
  /** Milliseconds for which clients may cache the public keys: short compared with the hour for which a retired key still verifies. */
  publicKeysAge: 5 * MINUTE,
  /** Milliseconds for which rights are cached: how long a demotion takes to reach every instance. */
  presenceAge: 1 * SECOND,
  /** Milliseconds that a change of rights is remembered: the lifetime of earlier tokens, plus clock skew. */
  presenceMemory: 20 * MINUTE,
  /** Milliseconds by which reads of changes overlap: a transaction may take that long to commit, and clocks may differ. */
  presenceOverlap: 30 * SECOND,
  /** Milliseconds from sign-in to the end of a session, however often it is refreshed: a month, then a password. */
  sessionLifetime: 30 * DAY,
  /**
   * Milliseconds after its first use during which a refresh token returns the same successor again, for clients whose response
   * was lost. After that, or once the successor was used, reuse means that the token was stolen.
   */
  refreshReplayWindow: 10 * SECOND,
  /** Maximum characters of an email address (RFC 5321, section 4.5.3.1.3). */
  emailLength: 254,
  /** Milliseconds that a network is remembered for an account after a sign-in from it: two weeks of holidays. */
  knownNetworkLifetime: 14 * DAY,
  /** Milliseconds that a device token is valid: half a year without a sign-in or a refresh. */
  deviceTokenLifetime: 180 * DAY,
  /**
   * Sign-ins under one limit that may wait while as many are checked as may be wrong: for one account and source, this allows
   * for a program that starts its workers.
   */
  waitingSignIns: 20,
  /**
   * Passwords hashed at once. Each occupies a core for about 25 ms, and one core stays free for everything else: with two
   * concurrent hashes on two cores, reads took forty times as long. libuv has 4 threads, and file reads and DNS need some.
   */
  concurrentHashes: Math.max(1, Math.min(2, availableParallelism() - 1)),
  /** Passwords that may wait to be hashed. At about 25 ms each, the last one waits less than two seconds. */
  waitingHashes: 64,
  /** Verified tokens kept in memory, so that each signature is checked once per token and not once per request. */
  verifiedTokens: 10_000,
  /** Milliseconds for which an app's opaque token is cached. Revoked grants take effect sooner (`presenceAge`). */
  opaqueTokenAge: 5 * SECOND,
  /** Maximum age of a proof of possession (DPoP) in milliseconds, and how far in the future it may be where clocks differ. */
  proofAge: 1 * MINUTE,
  /** Proofs that an instance remembers, so that none is accepted twice: a minute of them at a few hundred per second. */
  proofsRemembered: 20_000,
  /** Maximum characters of a proof's id: a UUID and some slack. */
  proofIdLength: 256,
  /** Seconds that an authorization code is valid: enough for a redirect and a request. */
  authorizationCodeLifetime: 60,
  /** Seconds that a person has to sign in and to consent. */
  interactionLifetime: 600,
  /** Seconds that a person has to enter a device code. */
  deviceCodeLifetime: 600,
  /** Seconds after which an app's refresh token expires if it is not used: a month. */
  appRefreshTokenLifetime: 30 * 86_400,
  /** Seconds that a browser stays signed in at the authorization server: two weeks. */
  browserSessionLifetime: 14 * 86_400,
  /** Points that a request to the authorization server costs: it reads and writes a few rows, and may sign. */
  oauthRequestCost: 20,
  /**
   * Characters that the authorization server stores per point for clients that need not sign in. With the default budget, a network
   * can make it store 5 MB in a minute.
   */
  oauthCharactersPerPoint: 64,
  /** Maximum characters of the parameters of an OAuth request as they are stored: as long as a URL that proxies accept. */
  oauthRecordLength: 8 * KIB,
  /** Maximum API keys of one organisation that are not revoked: several for each of its people and services. */
  apiKeys: 1000,
  /** Maximum client certificates of one organisation that are not revoked, one for each of its machines. */
  clientCertificates: 1000,
  /** Maximum characters of an Authorization header. Our tokens have about 600; the rest is slack for many scopes. */
  authorizationLength: 4096,
  /** Maximum names of a client certificate, all of which are looked up: a service has a few. */
  certificateNames: 50,
  /** Client certificates forwarded by a proxy that are cached in parsed form. */
  forwardedCertificates: 1000,
  /** Minimum milliseconds between two writes of a key's last use: a busy key must not cost a write per request. */
  keyUseInterval: 1 * MINUTE,
  /**
   * Milliseconds by which the timestamp of a signed message may differ from our clock. An intercepted message cannot be replayed
   * later; the 5 minutes of Standard Webhooks allow for clock skew.
   */
  signatureTolerance: 5 * MINUTE,
  /** Maximum characters of a password, since each one costs time to hash. */
  passwordLength: 256,
  /** Minimum characters of a new password (NIST SP 800-63B, section 3.1.1.2). */
  shortestPassword: 8,
  /** The number of most common passwords that are refused: guessing one per second finds these within three hours. */
  refusedPasswords: 10_000,
  /** Minimum characters of an address or part of a name that a new password must not contain; shorter ones are allowed. */
  passwordOwnerWord: 4,
} as const;
