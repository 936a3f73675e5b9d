/**
 * One trace of a request, from its route to the database. There is none unless the settings name a place to send traces
 * to: then `opentelemetry.ts` is loaded and passed to the modules that trace.
 */

export type Attributes = Readonly<Record<string, string | number>>;

/** Something that has begun and not ended. */
export interface OpenSpan {
  /** The trace that it is a part of, for the log. */
  readonly traceId: string;
  /** Runs work as a part of it: spans that the work opens are its children. */
  within<T>(work: () => T): T;
  /** @param failure what went wrong, in a word; undefined when nothing did. */
  end(failure?: string, attributes?: Attributes): void;
}

export interface Tracing {
  /** Opens a child span of the current one, to be ended elsewhere. */
  open(name: string, attributes: Attributes): OpenSpan;
  /**
   * Opens the span of a request that came in. It continues the trace that the caller's `traceparent` names (W3C Trace
   * Context), and begins a new one where there is none.
   */
  openRequest(name: string, attributes: Attributes, headers: CarrierHeaders): OpenSpan;
  /** Runs work within a span of its own, which ends when the work does, failed if that throws or rejects. */
  span<T>(name: string, attributes: Attributes, work: () => T): T;
  /** Sends what has not been sent. Resolves in any case, in bounded time. */
  close(): Promise<void>;
}

export type CarrierHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
