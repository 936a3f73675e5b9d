/**
 * Where webhooks may be sent: to the public internet, so that no caller can make this server call what is only within its own
 * reach (server-side request forgery). The URL is looked at when it is registered and again at each attempt, and then the
 * connection is made to the very addresses that were looked at.
 */
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { LIMITS } from '../core/limits.ts';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';

export interface TargetRules {
  /** Whether http:// will do as well. What it carries is signed and not secret from who is on the way. */
  readonly allowHttp: boolean;
  /** Whether this machine may be called, for receivers that are being developed and for tests. */
  readonly allowLoopback: boolean;
}

/** Resolves a name, within a few seconds; rejects without an address. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Why nothing is sent to a target. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly reason: 'target_refused' | 'name_not_resolved';

  constructor(reason: TargetError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const NOT_PUBLIC = 'must lead to an address of the public internet';
/** The same for this machine, which developers try first. */
const LOOPBACK = `${NOT_PUBLIC}; for development WEBHOOK_ALLOW_LOOPBACK=1 allows this machine, and "portico listen" forwards to it`;

/**
 * Names that are never in the public DNS (RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of `internal`). What they lead
 * to is looked at too, where they lead anywhere.
 */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** Lower ports belong to other protocols, whose servers might misread a request. */
const FIRST_FREE_PORT = 1024;

/**
 * What is wrong with a URL as it stands, undefined when nothing is. `URL` has written its host in one form by then: 127.1,
 * 0x7f000001 and 2130706433 are 127.0.0.1.
 *
 * @returns a message that completes "url …".
 */
export function problemWithUrl(text: string, rules: TargetRules): string | undefined {
  if (text.length > LIMITS.webhookUrlLength) {
    return `must have at most ${LIMITS.webhookUrlLength} characters`;
  }
  const url = URL.parse(text);
  if (!url) return 'must be a URL such as https://example.com/hooks';
  if (url.protocol !== 'https:' && !(rules.allowHttp && url.protocol === 'http:')) {
    return `must begin with https://${rules.allowHttp ? ' or http://' : ''}`;
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not have a user name or a password; what is sent is signed instead';
  }
  if (url.hash !== '') return 'must not have a fragment, which is never sent';
  if (url.port !== '' && url.port !== '80' && url.port !== '443' && Number(url.port) < FIRST_FREE_PORT) {
    return `must have the port 80, 443, or one from ${FIRST_FREE_PORT} on`;
  }
  return problemWithHost(hostOf(url), rules);
}

function problemWithHost(host: string, rules: TargetRules): string | undefined {
  if (!rules.allowLoopback && (isLocalhost(host) || isLoopbackAddress(host))) return LOOPBACK;
  if (isIP(host) !== 0) return isAllowed(host, rules) ? undefined : NOT_PUBLIC;
  if (rules.allowLoopback && isLocalhost(host)) return undefined;
  // A name without a dot is one of the network that this server is in.
  return PRIVATE_NAME.test(host) || !host.includes('.') ? NOT_PUBLIC : undefined;
}

const isAllowed = (address: string, { allowLoopback }: TargetRules): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));

/** An address without the brackets of IPv6; a name without the dot that may end it. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** Judges targets by what they are and by what their names lead to. */
export interface Targets {
  /**
   * The problem of a URL to register, undefined when there is none. A name that leads nowhere is let
   * pass: its receiver may come later, and each attempt looks again.
   *
   * @returns a message that completes "url …".
   */
  problemWith(url: string): Promise<string | undefined>;
  /**
   * The addresses that a connection may be made to now.
   *
   * @throws TargetError `target_refused` when one of them, or the URL itself, is not allowed; `name_not_resolved`.
   */
  locate(url: URL): Promise<readonly LookupAddress[]>;
}

export function createTargets(rules: TargetRules, resolve: Resolve): Targets {
  async function locate(url: URL): Promise<readonly LookupAddress[]> {
    const problem = problemWithUrl(url.href, rules);
    if (problem) throw new TargetError('target_refused', problem);
    const addresses = await addressesOf(hostOf(url));
    // One forbidden address refuses all: the name server decides which of them a client gets.
    if (!addresses.every((address) => isAllowed(address, rules))) {
      throw new TargetError('target_refused', NOT_PUBLIC);
    }
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }

  async function addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    // That it is allowed was seen above. No server of names is asked about this machine (RFC 6761, section 6.3).
    if (isLocalhost(host)) return ['127.0.0.1', '::1'];
    const addresses = await resolve(host).catch((cause: unknown) => {
      throw new TargetError('name_not_resolved', `${host} cannot be looked up`, { cause });
    });
    if (addresses.length === 0) throw new TargetError('name_not_resolved', `${host} has no address`);
    return addresses;
  }

  async function problemWith(text: string): Promise<string | undefined> {
    const problem = problemWithUrl(text, rules);
    if (problem) return problem;
    try {
      await locate(new URL(text));
      return undefined;
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      return error.reason === 'target_refused' ? error.message : undefined;
    }
  }

  return { problemWith, locate };
}
