/** Tracing with OpenTelemetry, exported by OTLP over HTTP. Nothing is patched: the server opens spans explicitly in a few places. */
import {
  type Context,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { LIMITS } from '../core/limits.ts';
import type { Attributes, CarrierHeaders, OpenSpan, Tracing } from './tracing.ts';

interface TracingOptions {
  /** The URL of a collector for OTLP over HTTP, such as `http://localhost:4318`. `/v1/traces` is appended. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** The ratio of sampled traces, from 0 to 1, among those that begin here. A trace that a caller began is sampled if the caller samples it. */
  readonly ratio: number;
  /** Called if traces could not be sent. */
  readonly onProblem: (message: string) => void;
}

export function openTracing({ endpoint, serviceName, ratio, onProblem }: TracingOptions): Tracing {
  const report = (message: string) => onProblem(message);
  diag.setLogger({ error: report, warn: report, info() {}, debug() {}, verbose() {} });
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: LIMITS.traceTimeout,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: LIMITS.traceTimeout })],
  });
  const tracer = provider.getTracer('portico');
  const contexts = new AsyncLocalStorageContextManager().enable();
  const propagator = new W3CTraceContextPropagator();

  const begin = (name: string, kind: SpanKind, attributes: Attributes, parent: Context): OpenSpan => {
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    const inside = trace.setSpan(parent, span);
    return {
      traceId: span.spanContext().traceId,
      within: (work) => contexts.with(inside, work),
      end: (failure, more) => finish(span, failure, more),
    };
  };
  const open: Tracing['open'] = (name, attributes) =>
    begin(name, SpanKind.INTERNAL, attributes, contexts.active());

  return {
    open,
    openRequest: (name, attributes, headers) =>
      begin(name, SpanKind.SERVER, attributes, propagator.extract(ROOT_CONTEXT, headers, HEADERS)),
    span: (name, attributes, work) => spanAround(open(name, attributes), work),
    async close() {
      try {
        await provider.shutdown();
      } catch (error) {
        onProblem(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

function finish(span: Span, failure: string | undefined, more: Attributes = {}): void {
  span.setAttributes({ ...more });
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end();
}

function spanAround<T>(span: OpenSpan, work: () => T): T {
  const fail = (error: unknown) => span.end(nameOf(error));
  try {
    const result = span.within(work);
    if (result instanceof Promise) result.then(() => span.end(), fail);
    else span.end();
    return result;
  } catch (error) {
    fail(error);
    throw error;
  }
}

/** The code of an error, or else its name. Messages are not used, since they may contain client input. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const HEADERS = {
  keys: (headers: CarrierHeaders) => Object.keys(headers),
  get: (headers: CarrierHeaders, name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.[0];
  },
};
