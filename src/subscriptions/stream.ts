import { ApiError } from '../core/errors.ts';
import { type LogPosition, logPosition } from '../events/log-position.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Door } from '../observability/metrics.ts';
import { Follower, type Sink, type StreamEnd, type StreamSession } from './follower.ts';
import type { GroupParts } from './group.ts';
import type { LogFollowers } from './log-followers.ts';

interface StreamParts {
  readonly group: GroupParts;
  /** Returns the followers of the same log. */
  readonly log: () => Promise<LogFollowers>;
  readonly onClosed: () => void;
}

/** An admitted subscription to a log. It sends nothing until it is started. */
export class Stream extends Follower {
  readonly #parts: StreamParts;
  readonly #key: string;
  #log: LogFollowers | undefined;

  constructor(session: StreamSession, door: Door, position: LogPosition, parts: StreamParts) {
    const { operation, variables } = parts.group;
    super(session, door, operation.access, position);
    this.#parts = parts;
    this.#key = operation.keyOf(variables);
  }

  /** The position as a cursor for clients. A client that resumes with it misses nothing. */
  get cursor(): string {
    const { services, selection } = this.#parts.group;
    return logPosition.seal(services.cursors, selection.org, this.position);
  }

  /**
   * Returns the position as a cursor if it has moved since the last cursor that the client got, as it does past events that the stream
   * omits. The client must get it: it is returned once.
   */
  newCursor(): string | undefined {
    if (this.position.id <= this.told) return undefined;
    this.told = this.position.id;
    return this.cursor;
  }

  /** Sends the events after the position, and then new ones as they happen. Call it once. */
  start(sink: Sink): void {
    this.sink = sink;
    // The stream may have ended between opening and starting.
    if (this.isOpen) this.fallBehind();
    else sink.end(new ApiError('restarting'), this.cursor);
  }

  override fallBehind(): void {
    void this.#follow();
  }

  override end(reason: StreamEnd): void {
    if (!this.isOpen) return;
    this.stop();
    this.sink?.end(reason, this.cursor);
  }

  /** Ends the stream after the client has unsubscribed or disconnected. The sink is not notified. */
  stop(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#log?.leave(this.#key, this);
    this.#parts.onClosed();
  }

  async #follow(): Promise<void> {
    const { group, log } = this.#parts;
    try {
      this.#log = await log();
      await this.#log.follow(this.#key, group, this);
    } catch (error) {
      group.onFailure(error);
      this.end(toApiError(error));
    }
  }
}
