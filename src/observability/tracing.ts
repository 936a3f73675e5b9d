/** The interface for tracing requests. `opentelemetry.ts` implements it, and is loaded only if the settings name a collector. */

export type Attributes = Readonly<Record<string, string | number>>;

/** A span that has begun and not ended. */
export interface OpenSpan {
  readonly traceId: string;
  /** Runs work within the span: spans that the work opens are its children. */
  within<T>(work: () => T): T;
  /** Ends the span. @param failure the kind of failure in a word; undefined for success. */
  end(failure?: string, attributes?: Attributes): void;
}

export interface Tracing {
  /** Opens a child span of the current one, which the caller must end. */
  open(name: string, attributes: Attributes): OpenSpan;
  /** Opens the span of an incoming request, which continues the trace of its `traceparent` (W3C Trace Context), if it has one. */
  openRequest(name: string, attributes: Attributes, headers: CarrierHeaders): OpenSpan;
  /** Runs work within a new span, which ends with the work, as failed if the work throws or rejects. */
  span<T>(name: string, attributes: Attributes, work: () => T): T;
  /** Sends all pending spans. It never rejects, and takes a limited time. */
  close(): Promise<void>;
}

export type CarrierHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;
