/** A follower of a log, with its rights and its connection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialExpired, credentialLost, memberRemoved, sessionEnded } from '../auth/changes.ts';
import { authorize, limitedToRole, limitedToScopes, type Principal } from '../auth/policy.ts';
import { hasEnded } from '../auth/tokens.ts';
import { monotonicTime } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import type { Flow } from '../core/fair-queue.ts';
import { LIMITS } from '../core/limits.ts';
import type { Role } from '../core/roles.ts';
import type { LogPosition } from '../events/log-position.ts';
import type { Rights } from '../events/rights.ts';
import type { Access } from '../graphql/directives/auth.ts';
import type { Door } from '../observability/metrics.ts';
import { flowOf } from '../pipeline/context.ts';
import type { StreamMessage } from './stream-message.ts';

/** Milliseconds between two checks of a client's backlog. Its socket emits an event only for an empty buffer. */
const DRAIN_PAUSE = 10;

/** Why a stream ends: `complete` if nothing more will come, otherwise the error to send to its client. */
export type StreamEnd = 'complete' | ApiError;

/** The connection to one client, as a follower uses it. */
export interface Sink {
  send(message: StreamMessage): void;
  /** Keeps what is sent on the connection, to write it at once: until {@link uncork}, or until it is long. */
  cork(): void;
  uncork(): void;
  /** Number of bytes that are sent but still buffered. */
  readonly waiting: number;
  /** Number of bytes that the system has not accepted of the current write. It decreases while the client reads a long message. */
  readonly unsent: number;
  /** Whether so much is buffered that the client must read before it gets another message. */
  mustRead(): boolean;
  /** Ends the stream. Called at most once, and nothing is sent after it. @param cursor where the client must resume. */
  end(reason: StreamEnd, cursor: string): void;
}

/** A caller's connection: renewing the token keeps all its subscriptions. */
export interface StreamSession {
  principal: Principal;
  /** The IP address of the client, for limits. */
  readonly address: string;
  /** Ends everything on this connection. */
  end(reason: ApiError): void;
}

/** A subscriber that follows a log for one client: the side of a stream that its log sees. */
export abstract class Follower {
  readonly session: StreamSession;
  /** The door that the stream was opened at. */
  readonly door: Door;
  readonly access: Access;
  /** The last event that was processed for this follower, alone or with its group. */
  position: LogPosition;
  /** Id of the last event that its client knows the cursor of. */
  told: number;
  isOpen = true;
  /** The connection to the client, once the stream is started. */
  protected sink: Sink | undefined;
  #flow: Flow | undefined;
  /** When the next event may be passed again, as `monotonicTime`; undefined while it is not paused. */
  #pointsAt: number | undefined;
  /** The caller with its current rights, and the role and scopes that limit it. */
  #now:
    | {
        readonly from: Principal;
        readonly role: Role;
        readonly scopes: readonly string[] | undefined;
        readonly principal: Principal;
      }
    | undefined;

  constructor(session: StreamSession, door: Door, access: Access, position: LogPosition) {
    this.session = session;
    this.door = door;
    this.access = access;
    this.position = position;
    this.told = position.id;
  }

  /** The flow that deliveries count for. It is created once, since every event needs it, and is the same after a renewal. */
  get flow(): Flow {
    this.#flow ??= flowOf(this.session);
    return this.#flow;
  }

  /** Makes the follower read the events that it has missed from the log, after it was removed from the live followers. */
  abstract fallBehind(): void;

  /** Ends this stream only, and sends its client the reason. */
  abstract end(reason: StreamEnd): void;

  /**
   * Pauses the follower before the next event: its caller lacks points for it, or its client has not read enough.
   *
   * @param seconds until there may be enough points.
   */
  pauseFor(seconds: number): void {
    this.#pointsAt = monotonicTime() + seconds * 1000;
  }

  /** Whether the follower waits before the next event. */
  get isPaused(): boolean {
    return this.#pointsAt !== undefined;
  }

  /** Resolves when the caller may have points again, or the follower has ended. */
  async pointsBack(): Promise<void> {
    while (this.isOpen && this.#pointsAt !== undefined) {
      const left = this.#pointsAt - monotonicTime();
      if (left <= 0) this.#pointsAt = undefined;
      else await sleep(Math.min(left, LIMITS.streamPointsPoll), undefined, { ref: false });
    }
  }

  send(message: StreamMessage): void {
    this.sink?.send(message);
  }

  cork(): void {
    this.sink?.cork();
  }

  uncork(): void {
    this.sink?.uncork();
  }

  mustRead(): boolean {
    return this.sink?.mustRead() ?? false;
  }

  /** Whether the client has received most of its backlog. */
  get isDrained(): boolean {
    return !this.sink || this.sink.waiting <= LIMITS.streamCatchUpBytes;
  }

  /** Resolves when the client has received most of its backlog. The stream of a client that reads nothing of it ends. */
  async drained(): Promise<void> {
    let unsent: number | undefined;
    let deadline = 0;
    while (this.isOpen && this.sink && !this.isDrained) {
      const left = this.sink.waiting + this.sink.unsent;
      if (left !== unsent) deadline = monotonicTime() + LIMITS.streamPatience;
      unsent = left;
      if (monotonicTime() > deadline) this.end(new ApiError('slow_consumer'));
      else await sleep(DRAIN_PAUSE);
    }
  }

  /**
   * Returns the caller with its current rights, bounded by the current role of its person and the current scopes of its app.
   *
   * @throws ApiError if it may no longer follow, with the reason.
   */
  principalNow(rights: Rights, at: Date): Principal {
    const { principal } = this.session;
    if (hasEnded(principal, at)) throw credentialExpired(principal);
    const role = rights.roleOf(principal.userId);
    if (role === undefined) throw memberRemoved();
    const { credential, sessionId, grant } = principal;
    if (credential && !rights.isUsable(credential)) throw credentialLost(principal);
    if (sessionId !== undefined && rights.hasEnded(sessionId)) throw sessionEnded();
    const scopes = grant && rights.scopesOf(grant.appId);
    // The scopes are the same list until the rights are read again.
    if (this.#now?.from !== principal || this.#now.role !== role || this.#now.scopes !== scopes) {
      const limited = limitedToRole(principal, role);
      const now = scopes ? limitedToScopes(limited, scopes) : limited;
      this.#now = { from: principal, role, scopes, principal: now };
      if (this.access !== 'public') authorize(this.#now.principal, this.access);
    }
    return this.#now.principal;
  }
}
