/** A collector of traces on a port of its own: it takes OTLP over HTTP, as JSON, and keeps what it gets. */
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

export interface ReceivedSpan extends Omit<SentSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Names under which services sent their spans. */
  readonly services: ReadonlySet<string>;
  /** The names of the spans from one of them up to where its trace begins here. */
  pathOf(span: ReceivedSpan): string[];
}

/** Ends with the test. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const services = new Set<string>();
  const server = createServer(async (request, response) => {
    // What the test asks of it is what the exporter sends.
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
  // A server that listens on a port has an address with one.
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
