import type { Sink, StreamEnd } from './follower.ts';

/** A subscription that was let in, and sends nothing before it is started. */
export interface Stream {
  /** Id of the last event that was dealt with. */
  readonly position: number;
  /** The same as clients carry it: coming back with it, nothing is missed. */
  readonly cursor: string;
  /** Sends what there is from there on, and then what happens. To be called once. */
  start(sink: Sink): void;
  /** Sends the client the reason for the end. */
  end(reason: StreamEnd): void;
  /** The client unsubscribed or has gone. The sink is not notified. */
  stop(): void;
}
