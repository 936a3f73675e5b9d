/** Requests from the examples in openapi.json. */
import type { TestApp } from './app.ts';
import type { Answer, RequestOptions, Sender } from './client.ts';
import type { DescribedOperation } from './openapi-document.ts';
import { signedEvent, signedStripeBody } from './payment-events.ts';

interface Example {
  /** The path with the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Returns the example request of an operation. Parameters without an example are not required. */
export function exampleOf({ path, operation }: DescribedOperation): Example {
  const { parameters = [], requestBody } = operation;
  const examplesIn = (place: 'path' | 'query' | 'header') =>
    Object.fromEntries(
      parameters
        .filter(({ in: where, example }) => where === place && example !== undefined)
        .map(({ name, example }) => [name, String(example)]),
    );
  const inPath = examplesIn('path');
  const query = new URLSearchParams(examplesIn('query'));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
  return {
    path: query.size > 0 ? `${filled}?${query}` : filled,
    headers: examplesIn('header'),
    body: requestBody?.content['application/json']?.example,
  };
}

/** Signs a message if its headers require a signature; otherwise returns undefined. */
function signed(app: TestApp, headers: Example['headers'], body: unknown) {
  if ('webhook-signature' in headers) return signedEvent(app, body as Parameters<typeof signedEvent>[1]);
  return 'Stripe-Signature' in headers ? signedStripeBody(app, JSON.stringify(body)) : undefined;
}

/** Sends the example request of an operation. Signed messages are signed again, since the signatures of examples have expired. */
export function sendExample<Body>(
  app: TestApp,
  described: DescribedOperation,
  as?: Sender,
): Promise<Answer<Body>> {
  const { path, headers, body } = exampleOf(described);
  const options: RequestOptions = {
    ...(as !== undefined && { as }),
    ...(signed(app, headers, body) ?? { headers, ...(body !== undefined && { body }) }),
  };
  return app.request<Body>(described.method, path, options);
}
