/** Signs in without a local browser, by OAuth's device flow (RFC 8628), and refreshes the token. */
import type { Clock } from '../core/clock.ts';
import { isRecord } from '../core/json.ts';
import { SECOND } from '../core/limits.ts';
import { ConnectionError, jsonOf, send, untilLate } from './remote.ts';
import { CommandError } from './terminal.ts';

interface DeviceSignInOptions {
  readonly serverUrl: string;
  /** The client id of a native app, which has no secret. */
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly clock: Clock;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Asks a person to enter the code at the URL. */
  readonly show: (device: DeviceAuthorization) => void;
}

interface Endpoints {
  readonly token_endpoint: string;
  readonly device_authorization_endpoint: string;
}

/** RFC 8628, section 3.2. */
interface DeviceAuthorization {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  /** The URL that includes the code. */
  readonly verification_uri_complete?: string;
  readonly expires_in: number;
  readonly interval?: number;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
}

interface OAuthError {
  readonly error: string;
  readonly error_description?: string;
}

/** Default seconds between two polls, and the seconds added after each `slow_down` (RFC 8628, sections 3.2, 3.5). */
const INTERVAL = 5;

/** Minimum seconds between two polls, whatever interval the server requests. */
const SHORTEST_INTERVAL = 1;

/** Milliseconds before its expiry from which a token counts as expired: longer than a request takes. */
const RENEWAL_MARGIN = 30 * SECOND;

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Asks a person to authorise the app, and waits for the decision.
 *
 * @returns a function that returns a valid access token, refreshed if necessary.
 * @throws CommandError if the person denies it, the code expires, or the server refuses the app.
 */
export async function signInByDevice(options: DeviceSignInOptions): Promise<() => Promise<string>> {
  const { clientId: client_id, scopes } = options;
  const endpoints = await discover(options.serverUrl);
  const form = { client_id, scope: scopes.join(' ') };
  const device = await ask<DeviceAuthorization>(endpoints.device_authorization_endpoint, form, 'device_code');
  if ('error' in device) throw refused(device);
  options.show(device);
  return renewing(await poll(endpoints, device, options), endpoints, options);
}

/** Polls until the person has decided (RFC 8628, section 3.5). */
async function poll(
  { token_endpoint }: Endpoints,
  { device_code, expires_in, interval = INTERVAL }: DeviceAuthorization,
  { clientId: client_id, clock, sleep }: DeviceSignInOptions,
): Promise<Tokens> {
  const end = clock().getTime() + expires_in * SECOND;
  let pause = Math.max(SHORTEST_INTERVAL, interval);
  while (clock().getTime() < end) {
    await sleep(pause * SECOND);
    const form = { grant_type: DEVICE_GRANT, device_code, client_id };
    const result = await ask<Tokens>(token_endpoint, form, 'access_token').catch((error: unknown) => {
      if (error instanceof ConnectionError) return 'away' as const;
      throw error;
    });
    if (result === 'away') pause *= 2;
    else if (!('error' in result)) return result;
    else if (result.error === 'slow_down') pause += INTERVAL;
    else if (result.error !== 'authorization_pending') throw refused(result);
  }
  throw new CommandError('The code has expired. Run the command again for a new one.');
}

/** Returns a function that returns the token, refreshed if it is about to expire. */
function renewing(
  first: Tokens,
  { token_endpoint }: Endpoints,
  { clientId: client_id, clock }: DeviceSignInOptions,
): () => Promise<string> {
  const endOf = ({ expires_in }: Tokens) => clock().getTime() + expires_in * SECOND - RENEWAL_MARGIN;
  let tokens = first;
  let end = endOf(first);
  return async () => {
    const { access_token, refresh_token } = tokens;
    if (refresh_token === undefined || clock().getTime() < end) return access_token;
    // If the response is lost, the next call sends the same token again, and the server returns the same successor.
    const form = { grant_type: 'refresh_token', refresh_token, client_id };
    const result = await ask<Tokens>(token_endpoint, form, 'access_token');
    if ('error' in result) throw refused(result);
    tokens = { refresh_token, ...result };
    end = endOf(tokens);
    return tokens.access_token;
  };
}

async function discover(serverUrl: string): Promise<Endpoints> {
  const response = await send(`${serverUrl}/.well-known/oauth-authorization-server`, {
    signal: untilLate(),
  });
  const found = response.ok ? await jsonOf(response) : undefined;
  const { token_endpoint, device_authorization_endpoint } = isRecord(found) ? found : {};
  if (typeof token_endpoint !== 'string' || typeof device_authorization_endpoint !== 'string')
    throw new CommandError(`${serverUrl} has no authorization server: status ${response.status}.`);
  return { token_endpoint, device_authorization_endpoint };
}

/**
 * Sends a form. The members of the response are those of RFC 6749 and RFC 8628.
 *
 * @param member a text that every successful response has.
 */
async function ask<Value>(
  url: string,
  form: Readonly<Record<string, string>>,
  member: keyof Value & string,
): Promise<Value | OAuthError> {
  const response = await send(url, { method: 'POST', body: new URLSearchParams(form), signal: untilLate() });
  const body = await jsonOf(response).catch((error: unknown) => {
    if (error instanceof CommandError) return null;
    throw error;
  });
  const isText = (name: string) => isRecord(body) && typeof body[name] === 'string';
  return isText('error') || (response.ok && isText(member))
    ? (body as Value | OAuthError)
    : { error: `status ${response.status}` };
}

const SENTENCES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    access_denied: 'The person has denied the request.',
    expired_token: 'The code has expired. Run the command again for a new one.',
    invalid_grant: 'The sign-in has ended. Run the command again to sign in.',
    invalid_client: 'There is no app with this client id. An administrator can create one of type native.',
    unauthorized_client: 'The app cannot use the device flow. It must be of type native.',
  }),
);

const refused = ({ error, error_description: description }: OAuthError) =>
  new CommandError(SENTENCES.get(error) ?? `The server refused the sign-in: ${description ?? error}.`);
