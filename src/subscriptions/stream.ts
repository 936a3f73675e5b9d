import type { Sink, StreamEnd } from './follower.ts';

/** An admitted subscription. It sends nothing until it is started. */
export interface Stream {
  /** Id of the last event that was processed. */
  readonly position: number;
  /** The position as a cursor for clients. A client that resumes with it misses nothing. */
  readonly cursor: string;
  /** Sends the events after the position, and then new ones as they happen. Call it once. */
  start(sink: Sink): void;
  /** Ends the stream, and sends the client the reason. */
  end(reason: StreamEnd): void;
  /** Ends the stream after the client has unsubscribed or disconnected. The sink is not notified. */
  stop(): void;
}
