import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { environmentWith } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { counted } from '../core/counted.ts';
import { exists } from '../core/private-files.ts';
import { isSigningSecret, newSigningSecret, signMessage } from '../core/signatures.ts';
import {
  EVENT_CATALOGUE,
  EVENT_TYPES,
  type EventType,
  matchesPattern,
  TYPE_PATTERNS,
} from '../events/catalogue.ts';
import { signInByDevice } from './device-sign-in.ts';
import { type FollowedEvent, followEvents } from './following.ts';
import { filePath, unreadable, unwritable } from './options.ts';
import { reasonOfFetch } from './remote.ts';
import { type Terminal, UsageError } from './terminal.ts';

interface ListenOptions {
  readonly server: string;
  readonly key?: string;
  readonly clientId?: string;
  readonly types: readonly string[];
  readonly forwardTo?: string;
  readonly secret?: string;
  readonly cursorFile?: string;
}

/** Milliseconds before the second attempt, and the longest pause: a program that restarts is back within seconds. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5000;

/** Milliseconds to wait for a receiver. */
const TIMEOUT = 15_000;

/** A program on this machine that events are forwarded to. */
interface Receiver {
  readonly target: string;
  /** The secret that the messages are signed with. */
  readonly secret: string;
}

type Note = (reason: string) => void;

export function declareListen(command: Command, terminal: Terminal): void {
  command
    .option('--server <url>', 'the URL of the server', serverUrl, 'http://localhost:4000')
    .option('--key <key>', 'an API key with read:feed, or an access token (default: PORTICO_KEY)')
    .option(
      '--client-id <id>',
      'the client id of a native app, to sign in with a code in any browser instead',
    )
    .addOption(
      new Option('--types <types...>', "event types, or patterns such as 'order.*'").default([], 'all types'),
    )
    .option('--forward-to <url>', 'where to send each event, signed like a webhook message', webUrl)
    .option(
      '--secret <secret>',
      'the secret to sign with (default: a new one, which is shown)',
      signingSecret,
    )
    .option(
      '--cursor-file <file>',
      'a file for the position in the log, from which the next run resumes',
      filePath,
    )
    .addHelpText(
      'after',
      '\nIt runs until interrupted, and resumes where it was after a restart of the server.',
    )
    .action((options: ListenOptions) => listen(terminal, options));
}

async function listen(terminal: Terminal, options: ListenOptions): Promise<void> {
  const { forwardTo: target, cursorFile } = options;
  const types = typesOf(options.types);
  const authorization = await authorizationOf(terminal, options, types);
  const server = { url: options.server, authorization };
  const secret = options.secret ?? newSigningSecret();
  if (target !== undefined && options.secret === undefined)
    terminal.out(`Messages are signed with ${secret}\n`);
  const note: Note = (reason) => terminal.err(`${reason}\n`);
  const all = followEvents(server, { types, cursor: cursorIn(cursorFile), onLost: note });
  for await (const { cursor, event } of all) {
    if (event && target !== undefined) await forward(event, { target, secret }, note);
    if (event) terminal.out(`${lineOf(event)}\n`);
    if (cursorFile !== undefined) keepCursor(cursorFile, cursor);
  }
}

const lineOf = ({ createdAt, id, type, item }: FollowedEvent) => `${createdAt} ${id} ${type} ${item}`;

/** Sends an event in the format of webhooks, and retries until it is accepted. Later events wait, so that all arrive in order. */
async function forward(event: FollowedEvent, receiver: Receiver, note: Note): Promise<void> {
  const body = `{"type":${JSON.stringify(event.type)},"timestamp":${JSON.stringify(event.createdAt)},"data":${event.item}}`;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    const problem = await attempt(event, body, receiver);
    if (problem === undefined) return;
    note(problem);
    await sleep(pause);
  }
}

/** @returns why the event was not accepted; undefined if it was. */
async function attempt(
  { id }: FollowedEvent,
  body: string,
  { target, secret }: Receiver,
): Promise<string | undefined> {
  try {
    const response = await fetch(target, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
      headers: {
        'content-type': 'application/json',
        // The same id for each attempt, so that a receiver recognises an event that it already has.
        ...signMessage([secret], `msg_listen_${id}`, systemClock(), body),
      },
      body,
    });
    await response.body?.cancel();
    return response.ok ? undefined : `${target} responded with ${response.status}.`;
  } catch (error) {
    return `${target} is not reachable: ${reasonOfFetch(error)}`;
  }
}

/**
 * Returns a function for the Authorization header. An option takes precedence over the key in the environment.
 *
 * @throws UsageError without a key or a client id, or with both as options.
 */
async function authorizationOf(
  { environment, err }: Terminal,
  { key, clientId, server: serverUrl }: ListenOptions,
  types: readonly EventType[],
): Promise<() => Promise<string>> {
  if (key !== undefined && clientId !== undefined)
    throw new UsageError('Pass either --key or --client-id, not both.');
  const given =
    clientId === undefined ? (key ?? environmentWith(environment ?? {})['PORTICO_KEY']) : undefined;
  // The message of `fetch` for such a header would quote it.
  if (given && !/^[\x21-\x7e]+$/.test(given))
    throw new UsageError('The key has characters that no key or token has.');
  if (given) return async () => (given.startsWith('pk_') ? `ApiKey ${given}` : `Bearer ${given}`);
  if (clientId === undefined)
    throw new UsageError(
      'Pass an API key with --key or in PORTICO_KEY; "npx portico api-key create" creates one. Or sign in with --client-id, the client id of a native app.',
    );
  const token = await signInByDevice({
    serverUrl,
    clientId,
    scopes: scopesOf(types),
    clock: systemClock,
    sleep,
    show: ({ user_code, verification_uri, verification_uri_complete: complete, expires_in }) =>
      err(
        `To sign in, go to ${verification_uri} and enter the code ${user_code}${complete ? `, or go to ${complete}` : ''}. It is valid for ${counted(Math.floor(expires_in / 60), 'minute')}.\n`,
      ),
  });
  err('Signed in.\n');
  return async () => `Bearer ${await token()}`;
}

/** Returns the scopes to read events of these types, and to continue after the first token expires. */
const scopesOf = (types: readonly EventType[]): readonly string[] => [
  ...new Set([
    'offline_access',
    'read:feed',
    ...(types.length > 0 ? types : EVENT_TYPES).map((type) => EVENT_CATALOGUE[type].scope),
  ]),
];

/** Returns the event types that match the patterns; empty for all. @throws UsageError for a pattern without a match. */
function typesOf(patterns: readonly string[]): readonly EventType[] {
  const unknown = patterns.find((pattern) => !TYPE_PATTERNS.includes(pattern));
  if (unknown !== undefined) throw new UsageError(`There are no events of the type "${unknown}".`);
  if (patterns.includes('*')) return [];
  return EVENT_TYPES.filter((type) => matchesPattern(patterns, type));
}

/** Returns the cursor in a file; undefined without one, also in an empty file, such as `mktemp` creates. @throws CommandError. */
function cursorIn(file: string | undefined): string | undefined {
  try {
    return file !== undefined && exists(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined;
  } catch (error) {
    return unreadable(file ?? '')(error);
  }
}

/** Replaces the file atomically, so that it is complete even if this process dies. @throws CommandError. */
function keepCursor(file: string, cursor: string): void {
  try {
    writeFileSync(`${file}.part`, `${cursor}\n`);
    renameSync(`${file}.part`, file);
  } catch (error) {
    unwritable(file)(error);
  }
}

/** The paths of requests are appended to it. */
const serverUrl = (text: string): string => webUrl(text).replace(/\/$/, '');

function webUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError('It must be an http or https URL.');
  }
  if (url.username === '' && url.password === '') return text;
  throw new InvalidArgumentError('It must not have a user name or a password, which `fetch` does not send.');
}

function signingSecret(text: string): string {
  if (isSigningSecret(text)) return text;
  throw new InvalidArgumentError('It must be whsec_ and base64 of 24 to 64 bytes.');
}
