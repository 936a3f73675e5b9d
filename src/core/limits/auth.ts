/** Passwords, tokens, keys and sessions. */
import { availableParallelism } from 'node:os';
import { DAY, MINUTE, SECOND } from './units.ts';

export const AUTH = {
  /** Lifetime of an access token in milliseconds: short, since it cannot be revoked. */
  accessTokenLifetime: 15 * MINUTE,
  /** Milliseconds for which rights are cached: the time a demotion takes to reach every instance. */
  presenceAge: 1 * SECOND,
  /** Milliseconds that a change of rights is remembered: the lifetime of earlier tokens, plus clock skew. */
  presenceMemory: 20 * MINUTE,
  /** Milliseconds of changes that are read again each time: a transaction may take that long to commit, and clocks may differ. */
  presenceOverlap: 30 * SECOND,
  /** Milliseconds from sign-in to the end of a session, however often it is refreshed: a month, then a password. */
  sessionLifetime: 30 * DAY,
  /**
   * Milliseconds after its use in which a refresh token gives the same successor again, for a client whose response was
   * lost. Later, and once the successor was used, it counts as stolen.
   */
  refreshReplayWindow: 10 * SECOND,
  /** Characters of an email address at most (RFC 5321, section 4.5.3.1.3). */
  emailLength: 254,
  /** Milliseconds that an account knows a network after it signed in there: two weeks of holidays. */
  knownNetworkLifetime: 14 * DAY,
  /** Milliseconds that a device token is good for: half a year without a sign-in or a refresh. */
  deviceTokenLifetime: 180 * DAY,
  /** Sign-ins that may wait behind as many as may be wrong, for one account from one place: a program that starts its workers. */
  waitingSignIns: 20,
  /**
   * Passwords hashed at once. Each takes a core for some 25 ms, and one core is left for everything else: with two hashings
   * on two cores, reads took forty times as long. libuv has 4 threads, of which file reads and DNS need some.
   */
  concurrentHashes: Math.max(1, Math.min(2, availableParallelism() - 1)),
  /** Passwords that may wait to be hashed. At some 25 ms each the last one waits under two seconds. */
  waitingHashes: 64,
  /** Verified tokens kept in memory, so that a signature is checked once per token and not per request. */
  verifiedTokens: 10_000,
  /** Milliseconds that an opaque token of an app is known without another look at it. What was revoked is known sooner. */
  opaqueTokenAge: 5 * SECOND,
  /** Milliseconds that a proof of possession (DPoP) may be old, or young where clocks differ. */
  proofAge: 1 * MINUTE,
  /** Proofs that an instance remembers, so that none counts twice: those of a minute at some hundred a second. */
  proofsRemembered: 20_000,
  /** Characters of the id of a proof: a UUID and then some. */
  proofIdLength: 256,
  /** Seconds that a code of the authorization server is good for: a redirect and a request. */
  authorizationCodeLifetime: 60,
  /** Seconds that a person has to sign in and to consent. */
  interactionLifetime: 600,
  /** Seconds that a person has to type the code of a device. */
  deviceCodeLifetime: 600,
  /** Seconds that a refresh token of an app is good for without being used: a month. */
  appRefreshTokenLifetime: 30 * 86_400,
  /** Seconds that a browser stays signed in at the authorization server: two weeks. */
  browserSessionLifetime: 14 * 86_400,
  /** Points that a request to the authorization server takes: it reads and writes some rows, and may sign. */
  oauthRequestCost: 20,
  /** Characters of an Authorization header. Our tokens have about 600; the rest is slack for many scopes. */
  authorizationLength: 4096,
  /** Names of a client certificate that are looked up: a service has a few. */
  certificateNames: 50,
  /** Client certificates that a proxy has sent, which are kept parsed. */
  forwardedCertificates: 1000,
  /** Milliseconds between two writes of when a key was last used: a busy key shall not cost a write per request. */
  keyUseInterval: 1 * MINUTE,
  /**
   * Milliseconds that the timestamp of a signed message may be off. A message that was overheard is of no use later; the
   * 5 minutes of Standard Webhooks leave room for clocks that differ.
   */
  signatureTolerance: 5 * MINUTE,
  /** Characters of a password at most, since each one costs time to hash. */
  passwordLength: 256,
  /** Characters of a new password at least (NIST SP 800-63B, section 3.1.1.2). */
  shortestPassword: 8,
  /** The most used passwords, of which none is accepted: guessing one a second finds these within three hours. */
  refusedPasswords: 10_000,
  /** Characters of an address or of a part of a name, from which on no new password may contain it. */
  passwordOwnerWord: 4,
} as const;
