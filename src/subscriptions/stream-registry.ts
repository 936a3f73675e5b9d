/** The streams of this process, of all doors. */
import { createSourceEventStream, type GraphQLSchema } from 'graphql';
import { credentialExpired } from '../auth/changes.ts';
import type { Presence } from '../auth/presence.ts';
import { hasEnded } from '../auth/tokens.ts';
import type { Wakes } from '../cluster/wakes.ts';
import { counted } from '../core/counted.ts';
import type { AbortSignalLike } from '../core/deadline.ts';
import { ApiError } from '../core/errors.ts';
import { FairSlots } from '../core/fair-slots.ts';
import { KeyedCounts } from '../core/keyed-counts.ts';
import { LIMITS } from '../core/limits.ts';
import { sharedRun } from '../core/promises.ts';
import { logEnd } from '../events/log-position.ts';
import { Selection } from '../events/selection.ts';
import type { Door } from '../observability/metrics.ts';
import type { Variables } from '../pipeline/compile.ts';
import { type Context, createContext, flowOf, type Services } from '../pipeline/context.ts';
import { RefusedSubscription } from '../pipeline/response.ts';
import type { StreamSession } from './follower.ts';
import { LogFollowers } from './log-followers.ts';
import { Stream } from './stream.ts';
import type { StreamOperation } from './stream-operation.ts';

interface StreamRequest {
  readonly door: Door;
  readonly operation: StreamOperation;
  readonly variables: Variables;
  /** A cursor that the transport stored for the client. It takes precedence over the operation's own `after`. */
  readonly resumeAfter?: string | undefined;
  /** Aborted at the deadline of opening the stream, or when the client has disconnected before. */
  readonly signal: AbortSignalLike | undefined;
}

interface StreamRegistryOptions {
  readonly schema: GraphQLSchema;
  readonly services: Services;
  readonly wakes: Wakes;
  readonly presence: Pick<Presence, 'now'>;
  /** Maximum number of streams per caller. */
  readonly streamsPerCaller: number;
  /** Called with errors that prevented events from being read or passed on. */
  readonly onFailure: (error: unknown) => void;
}

export class StreamRegistry {
  readonly #options: StreamRegistryOptions;
  readonly #logs = new Map<string, Promise<LogFollowers>>();
  readonly #sessions = new Set<StreamSession>();
  readonly #open = new Set<Stream>();
  /** Number of streams by caller, that is by the key of its bucket. */
  readonly #streamsOf = new KeyedCounts<string>();
  readonly #catchUps = new FairSlots({
    slots: LIMITS.catchUps,
    // Streams are limited in number, and a stream that waits costs nothing.
    capacity: Number.POSITIVE_INFINITY,
    refusal: () => new ApiError('overloaded'),
  });
  readonly #sweep: NodeJS.Timeout;
  readonly #stopHearing: () => void;
  #draining = false;

  constructor(options: StreamRegistryOptions) {
    this.#options = options;
    this.#stopHearing = options.wakes.onWake((org) => this.#wake(org));
    this.#sweep = setInterval(() => {
      this.#endExpired();
      void this.#endRefused();
    }, LIMITS.tokenSweepInterval);
    this.#sweep.unref();
  }

  /**
   * Opens the stream of a subscription, whose document has been admitted.
   *
   * @throws RefusedSubscription, or ApiError `restarting` while the server shuts down, `too_many_streams`.
   */
  async open(request: StreamRequest, session: StreamSession): Promise<Stream> {
    const { streamsPerCaller } = this.#options;
    const { caller } = flowOf(session);
    if (this.#streamsOf.of(caller) >= streamsPerCaller) {
      throw new ApiError('too_many_streams', {
        message: `You have ${counted(streamsPerCaller, 'stream')} already. End one before you open another.`,
        retryAfter: 1,
      });
    }
    this.#streamsOf.increment(caller);
    const leave = () => this.#streamsOf.decrement(caller);
    try {
      return await this.#openStream(request, session, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** @param onClosed called once when the stream has ended. */
  async #openStream(request: StreamRequest, session: StreamSession, onClosed: () => void): Promise<Stream> {
    const { services, onFailure } = this.#options;
    const { principal, address } = session;
    const context = createContext(services, { principal, address, at: services.clock() }, request.signal);
    const selection = await this.#select(request, context);
    const { org } = selection;
    const after = selection.after ?? (await logEnd(context.database, org));
    if (this.#draining) throw new ApiError('restarting');
    const { operation, variables, door } = request;
    const requested = operation.price.requested(variables);
    const stream = new Stream(session, door, after, {
      group: { operation, variables, selection, requested, services, onFailure },
      log: () => this.#logOf(org),
      onClosed: () => {
        this.#open.delete(stream);
        onClosed();
      },
    });
    this.#open.add(stream);
    return stream;
  }

  /** Ends the session when its caller would be refused. @returns a function to call when the connection has closed. */
  watch(session: StreamSession): () => void {
    this.#sessions.add(session);
    return () => void this.#sessions.delete(session);
  }

  /** Ends every stream with `restarting`, so that clients reconnect to another server. */
  drain(): void {
    this.#draining = true;
    for (const stream of [...this.#open]) stream.end(new ApiError('restarting'));
  }

  /** Ends all streams. Resolves when nothing is being delivered. */
  async close(): Promise<void> {
    this.drain();
    clearInterval(this.#sweep);
    this.#stopHearing();
    const logs = await Promise.allSettled(this.#logs.values());
    await Promise.all(logs.map((log) => log.status === 'fulfilled' && log.value.close()));
  }

  /** Runs the subscription's resolver, after GraphQL's own checks, and returns its source. */
  async #select({ operation, variables, resumeAfter }: StreamRequest, context: Context): Promise<Selection> {
    const { schema } = this.#options;
    if (resumeAfter !== undefined) Object.assign(context, { resumeAfter });
    const source = await createSourceEventStream({
      schema,
      document: operation.document,
      operationName: operation.name ?? null,
      variableValues: variables,
      contextValue: context,
    });
    if (source instanceof Selection) return source;
    if ('errors' in source && source.errors) throw new RefusedSubscription(source.errors);
    throw new Error('The source of a subscription is not the log.');
  }

  /** Opens the log of an organisation on first use and keeps it: an organisation that had streams will have more. */
  #logOf(org: string): Promise<LogFollowers> {
    const { services, onFailure } = this.#options;
    const catchUps = this.#catchUps;
    const log = this.#logs.get(org) ?? LogFollowers.open({ org, services, catchUps, onFailure });
    this.#logs.set(org, log);
    log.catch(() => this.#logs.delete(org));
    return log;
  }

  #wake(org: string | undefined): void {
    const logs = org === undefined ? this.#logs.values() : [this.#logs.get(org)];
    for (const log of logs) {
      log?.then(
        (followers) => followers.wake(),
        // The caller that opened the log reports the error.
        () => undefined,
      );
    }
  }

  #endExpired(): void {
    const now = this.#options.services.clock();
    for (const session of this.#sessions) {
      if (hasEnded(session.principal, now)) session.end(credentialExpired(session.principal));
    }
  }

  /**
   * Ends the sessions whose callers have lost their rights in a way that is no event, as a person who signs out does. After an event,
   * the rights of all followers are read in any case. A slow database delays a sweep.
   */
  readonly #endRefused = sharedRun(async () => {
    try {
      // The first session may wait for the recent changes, which are then known for the others.
      for (const session of this.#sessions) await this.#endIfRefused(session);
    } catch (error) {
      // The next sweep tries again. Readers of events report that the database cannot be read.
      if (!(error instanceof ApiError)) this.#options.onFailure(error);
    }
  });

  async #endIfRefused(session: StreamSession): Promise<void> {
    const { principal } = session;
    try {
      await this.#options.presence.now(principal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'invalid_token') throw error;
      // The client may have renewed its token meanwhile.
      if (session.principal === principal) session.end(error);
    }
  }
}
