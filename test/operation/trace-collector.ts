/** A trace collector on a separate port, which receives OTLP over HTTP as JSON and keeps the spans. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes?: readonly { readonly key: string; readonly value: Value }[];
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: SentSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

interface ReceivedSpan extends Omit<SentSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The names of the services that sent spans. */
  readonly services: ReadonlySet<string>;
  /** The names of the spans from the root of the trace to this span. */
  pathOf(span: ReceivedSpan): string[];
}

/** Starts a collector, which stops when the test ends. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const services = new Set<string>();
  const server = createServer(async (request, response) => {
    // The exporter under test sends this format.
    const sent = (await json(request)) as Export;
    for (const { resource, scopeSpans } of sent.resourceSpans) {
      services.add(recordOf(resource.attributes)['service.name'] ?? '');
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        spans.push({ ...span, attributes: recordOf(span.attributes) });
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a TCP port has an address of this type.
  const { port } = server.address() as AddressInfo;
  const pathOf = (span: ReceivedSpan): string[] => {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent ? [...pathOf(parent), span.name] : [span.name];
  };
  return { url: `http://127.0.0.1:${port}`, spans, services, pathOf };
}

function recordOf(attributes: SentSpan['attributes'] = []): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]),
  );
}
