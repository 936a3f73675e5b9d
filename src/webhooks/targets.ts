/**
 * Checks where webhooks may be sent: only to the public internet, so that no caller can make this server send requests to its
 * internal network (server-side request forgery). The URL is checked when it is registered and again at each attempt, which
 * connects to exactly the addresses that were checked.
 */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LIMITS } from '../core/limits.ts';

export interface TargetRules {
  /** Whether http:// is allowed too. Its messages are signed, but readable in transit. */
  readonly allowHttp: boolean;
  /** Whether targets on this machine are allowed, for receivers in development and for tests. */
  readonly allowLoopback: boolean;
}

/** Resolves a host name to addresses, within a few seconds; rejects if the lookup fails. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Why a target gets no messages. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly reason: 'target_refused' | 'name_not_resolved';

  constructor(reason: TargetError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const NOT_PUBLIC = 'must resolve to an address of the public internet';
/** The message for this machine, which developers try first. */
const LOOPBACK = `${NOT_PUBLIC}; for development WEBHOOK_ALLOW_LOOPBACK=1 allows this machine, and "npx portico listen" forwards to it`;

/**
 * Names that are never in the public DNS (RFC 6761, RFC 6762, RFC 8375, ICANN's reservation of `internal`). If they resolve
 * all the same, their addresses are checked too.
 */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|home\.arpa)$/;

/** Lower ports belong to other protocols, whose servers might misread a request. */
const FIRST_FREE_PORT = 1024;

/**
 * Checks the text of a URL, without resolving its name. `URL` has normalised its host by then: 127.1, 0x7f000001 and
 * 2130706433 are all 127.0.0.1.
 *
 * @returns a message that completes "url …", undefined if the URL is allowed.
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
    return 'must not have a user name or a password; messages are signed instead';
  }
  if (url.hash !== '') return 'must not have a fragment, which is never sent';
  if (url.port !== '' && url.port !== '80' && url.port !== '443' && Number(url.port) < FIRST_FREE_PORT) {
    return `must have port 80, 443, or ${FIRST_FREE_PORT} and above`;
  }
  return problemWithHost(hostOf(url), rules);
}

function problemWithHost(host: string, rules: TargetRules): string | undefined {
  if (!rules.allowLoopback && (isLocalhost(host) || isLoopbackAddress(host))) return LOOPBACK;
  if (isIP(host) !== 0) return isAllowed(host, rules) ? undefined : NOT_PUBLIC;
  if (rules.allowLoopback && isLocalhost(host)) return undefined;
  // A name without a dot belongs to the local network.
  return PRIVATE_NAME.test(host) || !host.includes('.') ? NOT_PUBLIC : undefined;
}

const isAllowed = (address: string, { allowLoopback }: TargetRules): boolean =>
  isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));

/** Returns an IPv6 address without its brackets, or a name without a trailing dot. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');

const isLocalhost = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/** The only range of public IPv6 addresses that IANA has allocated so far (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::');

/**
 * Whether an address belongs to the public internet.
 *
 * This is an allow list, not a list of dangerous addresses, so it refuses everything else: loopback, private, link-local
 * (clouds serve credentials at 169.254.169.254), carrier-grade NAT, multicast, documentation, benchmarking, unspecified and
 * reserved addresses (RFC 6890), and all IPv6 addresses that embed an IPv4 address: mapped, compatible, NAT64, 6to4 and
 * Teredo. A receiver with such an address can use its IPv4 address instead.
 *
 * @param address in the form that `dns` and `URL` return; any other form is not public.
 */
function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6, 3);
}

/** Whether an address is in 127.0.0.0/8 or is ::1. IPv6 addresses that embed one of these are not loopback addresses. */
function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';
}

/**
 * Creates a resolver that queries the name servers of this machine. Unlike `dns.lookup` it does not occupy one of the four
 * threads of the pool: a name server that never responds, which the owner of a webhook may run, would block password hashing.
 */
function createResolver(): Resolve {
  const resolver = new Resolver({ timeout: LIMITS.nameTimeout, tries: 2 });
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    return [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

export type Targets = ReturnType<typeof createTargets>;

/** Creates the checks of targets by their URL and by the addresses that their names resolve to. */
export function createTargets(rules: TargetRules, resolve: Resolve = createResolver()) {
  /**
   * Resolves the addresses to connect to.
   *
   * @throws TargetError `target_refused` if one of them, or the URL itself, is not allowed; `name_not_resolved`.
   */
  async function locate(url: URL): Promise<readonly LookupAddress[]> {
    const problem = problemWithUrl(url.href, rules);
    if (problem) throw new TargetError('target_refused', problem);
    const addresses = await addressesOf(hostOf(url));
    // One forbidden address rules out all of them: the name server decides which one a client gets.
    if (!addresses.every((address) => isAllowed(address, rules))) {
      throw new TargetError('target_refused', NOT_PUBLIC);
    }
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }

  async function addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    // The caller has checked that localhost is allowed. Its name is never looked up (RFC 6761, section 6.3).
    if (isLocalhost(host)) return ['127.0.0.1', '::1'];
    const addresses = await resolve(host).catch((cause: unknown) => {
      throw new TargetError('name_not_resolved', `${host} cannot be looked up`, { cause });
    });
    if (addresses.length === 0) throw new TargetError('name_not_resolved', `${host} has no address`);
    return addresses;
  }

  /**
   * Checks a URL to register. A name that does not resolve is accepted: its receiver may be set
   * up later, and each attempt checks again.
   *
   * @returns a message that completes "url …", undefined if the URL is allowed.
   */
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
