/** Requests as openapi.json shows them: whoever reads it and sends its examples. */
import type { TestApp } from './app.ts';
import type { Answer, RequestOptions, Sender } from './client.ts';
import type { DescribedOperation } from './openapi-document.ts';
import { signedEvent } from './payment-events.ts';

/** Sends an operation what its examples say. Parameters that have none are not required. */
export function sendExample<Body>(
  app: TestApp,
  { method, path, operation }: DescribedOperation,
  as?: Sender,
): Promise<Answer<Body>> {
  const { parameters = [], requestBody } = operation;
  const examplesIn = (place: 'path' | 'query' | 'header') =>
    Object.fromEntries(
      parameters
        .filter(({ in: where, example }) => where === place && example !== undefined)
        .map(({ name, example }) => [name, String(example)]),
    );
  const inPath = examplesIn('path');
  const query = new URLSearchParams(examplesIn('query'));
  const headers = examplesIn('header');
  const body = requestBody?.content['application/json']?.example;
  const options: RequestOptions = {
    ...(as !== undefined && { as }),
    // No example can be signed: it would be too old tomorrow.
    ...('webhook-signature' in headers
      ? signedEvent(app, body as Parameters<typeof signedEvent>[1])
      : { headers, ...(body !== undefined && { body }) }),
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''));
  return app.request<Body>(method, query.size > 0 ? `${filled}?${query}` : filled, options);
}
