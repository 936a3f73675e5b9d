/** Requests as openapi.json shows them: read from it, with its examples. */
import type { TestApp } from './app.ts';
import type { Answer, RequestOptions, Sender } from './client.ts';
import type { DescribedOperation } from './openapi-document.ts';
import { signedEvent, signedStripeBody } from './payment-events.ts';

interface Example {
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The examples of an operation. Parameters that have none are not required. */
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

/** A message that must be signed; undefined for what need not be. */
function signed(app: TestApp, headers: Example['headers'], body: unknown) {
  if ('webhook-signature' in headers) return signedEvent(app, body as Parameters<typeof signedEvent>[1]);
  return 'Stripe-Signature' in headers ? signedStripeBody(app, JSON.stringify(body)) : undefined;
}

/** Sends an operation what its examples say. What must be signed is: its example was signed too long ago. */
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
