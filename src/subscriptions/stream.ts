import { ApiError } from '../core/errors.ts';
import { logPosition } from '../events/log-position.ts';
import { toApiError } from '../graphql/errors.ts';
import type { Follower, Sink, StreamEnd } from './follower.ts';
import type { GroupParts } from './group.ts';
import type { LogFollowers } from './log-followers.ts';

export interface StreamParts {
  readonly follower: Follower;
  readonly group: GroupParts;
  /** Returns the followers of the same log. */
  readonly log: () => Promise<LogFollowers>;
  readonly onClosed: () => void;
}

/** An admitted subscription to a log. It sends nothing until it is started. */
export class Stream {
  readonly #parts: StreamParts;
  readonly #key: string;
  #log: LogFollowers | undefined;
  #sink: Sink | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    const { operation, variables } = parts.group;
    this.#key = operation.keyOf(variables);
  }

  /** Id of the last event that was processed. */
  get position(): number {
    return this.#parts.follower.position.id;
  }

  /** The position as a cursor for clients. A client that resumes with it misses nothing. */
  get cursor(): string {
    const { group, follower } = this.#parts;
    return logPosition.seal(group.services.cursors, group.selection.org, follower.position);
  }

  /**
   * Returns the position as a cursor if it has moved since the last cursor that the client got, as it does past events that the stream
   * omits. The client must get it: it is returned once.
   */
  newCursor(): string | undefined {
    const { follower } = this.#parts;
    if (follower.position.id <= follower.told) return undefined;
    follower.told = follower.position.id;
    return this.cursor;
  }

  /** Sends the events after the position, and then new ones as they happen. Call it once. */
  start(sink: Sink): void {
    const { follower } = this.#parts;
    this.#sink = sink;
    follower.attach(
      sink,
      (reason) => this.end(reason),
      () => void this.#follow(),
    );
    // The stream may have ended between opening and starting.
    if (follower.isOpen) void this.#follow();
    else sink.end(new ApiError('restarting'), this.cursor);
  }

  /** Ends the stream, and sends the client the reason. */
  end(reason: StreamEnd): void {
    if (!this.#parts.follower.isOpen) return;
    this.stop();
    this.#sink?.end(reason, this.cursor);
  }

  /** Ends the stream after the client has unsubscribed or disconnected. The sink is not notified. */
  stop(): void {
    const { follower, onClosed } = this.#parts;
    if (!follower.isOpen) return;
    follower.isOpen = false;
    this.#log?.leave(this.#key, follower);
    onClosed();
  }

  async #follow(): Promise<void> {
    const { follower, group, log } = this.#parts;
    try {
      this.#log = await log();
      await this.#log.follow(this.#key, group, follower);
    } catch (error) {
      group.onFailure(error);
      this.end(toApiError(error));
    }
  }
}
