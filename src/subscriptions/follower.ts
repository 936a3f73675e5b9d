/** Who follows a log, and by what right. */
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialLost, hasLeft } from '../auth/changes.ts';
import { credentialOf } from '../auth/machine-credentials.ts';
import { authorize, type Principal, within } from '../auth/policy.ts';
import { hasEnded } from '../auth/verified-tokens.ts';
import { type Clock, monotonicTime } from '../core/clock.ts';
import { ApiError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Role } from '../core/roles.ts';
import type { Rights } from '../events/rights.ts';
import type { Access } from '../graphql/directives/auth.ts';
import type { Door } from '../observability/metrics.ts';

/** Milliseconds between two checks of a client's backlog. Its socket emits an event for an empty buffer only. */
const DRAIN_PAUSE = 10;

/** A text that goes to many, in the forms that doors have made of it so far. */
export interface StreamMessage {
  /** Where in the log a client stands that has it. */
  readonly cursor: string;
  /** JSON. */
  readonly payload: string;
  /** What a door has made of it for all of its clients. */
  forms: Map<string, Buffer> | undefined;
}

/** Why a stream ends: `complete` when there is nothing more to come, else what to tell its client. */
export type StreamEnd = 'complete' | ApiError;

/** The way to one client. */
export interface Sink {
  send(message: StreamMessage): void;
  /** Bytes that were sent and not taken yet. */
  readonly waiting: number;
  /** Whether more waits than a client may let wait. */
  isFull(): boolean;
  /** @param cursor where the client has to go on. Called once at most, and nothing is sent after it. */
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

/** One who follows, on the way to one client. */
export class Follower {
  readonly session: StreamSession;
  /** The door that the stream was opened at. */
  readonly door: Door;
  readonly access: Access;
  /** Id of the last event that was dealt with for this one, alone or with its group. */
  position: number;
  isOpen = true;
  #sink: Sink | undefined;
  #onEnd: ((reason: StreamEnd) => void) | undefined;
  #onBehind: (() => void) | undefined;
  /** Of `monotonicTime`: from then on there are points for the next event again; undefined while there are. */
  #pointsAt: number | undefined;
  #now: { readonly from: Principal; readonly role: Role; readonly principal: Principal } | undefined;

  constructor(session: StreamSession, door: Door, access: Access, position: number) {
    this.session = session;
    this.door = door;
    this.access = access;
    this.position = position;
  }

  /**
   * @param onEnd called when the follower is to be ended; it closes it.
   * @param onBehind called when the follower was taken out of those who follow live; it has it catch up.
   */
  attach(sink: Sink, onEnd: (reason: StreamEnd) => void, onBehind: () => void): void {
    this.#sink = sink;
    this.#onEnd = onEnd;
    this.#onBehind = onBehind;
  }

  /** Has the follower catch up with what it has not been sent, which is in the log. */
  fallBehind(): void {
    this.#onBehind?.();
  }

  /** Notes that the caller's points do not pay for the next event. @param seconds after which they may. */
  pauseFor(seconds: number): void {
    this.#pointsAt = monotonicTime() + seconds * 1000;
  }

  /** Whether it waits for points. */
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

  /** Ends this one stream, and sends its client the reason. */
  end(reason: StreamEnd): void {
    this.#onEnd?.(reason);
  }

  send(message: StreamMessage): void {
    this.#sink?.send(message);
  }

  isFull(): boolean {
    return this.#sink?.isFull() ?? false;
  }

  /** Resolves when the client has taken most of what it was sent. One that takes nothing for long is ended. */
  async drained(): Promise<void> {
    const deadline = monotonicTime() + LIMITS.streamPatience;
    while (this.isOpen && (this.#sink?.waiting ?? 0) > LIMITS.streamCatchUpBytes) {
      if (monotonicTime() > deadline) this.end(new ApiError('slow_consumer'));
      else await sleep(DRAIN_PAUSE);
    }
  }

  /**
   * The caller as it is now: with no more than its person's present role gives.
   *
   * @throws ApiError why it may follow no longer.
   */
  principalNow(rights: Rights, clock: Clock): Principal {
    const { principal } = this.session;
    if (hasEnded(principal, clock())) throw new ApiError('token_expired');
    const role = rights.roleOf(principal.userId);
    if (role === undefined) throw hasLeft();
    const credential = credentialOf(principal);
    if (credential && !rights.isUsable(credential)) throw credentialLost(principal);
    if (this.#now?.from !== principal || this.#now.role !== role) {
      this.#now = { from: principal, role, principal: within(principal, role) };
      if (this.access !== 'public') authorize(this.#now.principal, this.access);
    }
    return this.#now.principal;
  }
}
