import { readFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import { DocumentError, type OperationDocument, sourceLine } from '../compile/documents.ts';
import type { Route } from '../compile/route.ts';
import type { StreamRoute } from '../handle/stream-route.ts';
import { Components } from './components.ts';
import { headersIn } from './headers.ts';
import { idsOf, OperationWriter, subjectOf } from './operation.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { SERVER_TAGS, serverPaths } from './server-paths.ts';
import { ERROR_DETAIL, flowing } from './shapes.ts';
import type { OpenApi, Operation, Schema, Tag } from './types.ts';
import { MESSAGE_TAGS, webhookMessages } from './webhooks.ts';

const PACKAGE = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
// npm requires a version in package.json.
export const { version } = JSON.parse(PACKAGE) as { readonly version: string };

const DESCRIPTION = `Orders, documents, payments and live activity of many organisations.

Sign in with \`POST /v1/auth/login\`, and send the access token as \`Authorization: Bearer <access token>\`; machines send
\`Authorization: ApiKey <key>\`. Ids are integers, times are RFC 3339 in UTC, and money is a decimal number in the major unit
of the currency. An unknown query parameter returns 400, and an unknown member of a body 422, so that misspelt names are
never ignored.

A request costs points of the caller's budget, at most \`x-cost\` with default page sizes; \`RateLimit\` has the points
left, and without points the response is 429. A body of 1 KiB or more costs one point per KiB, even if it is refused.
A response that exceeds the limit of the server, by default 8 MiB, is replaced by \`response_too_large\`.

Every error is \`{"error": {"code", "message"}}\`, with \`details\` if there are several problems. With
\`Accept: application/problem+json\` errors have the format of RFC 9457. Every GET route supports HEAD, with the same headers
and without a body; every path supports OPTIONS with Allow, and returns 405 for other methods. Routes of \`/v1\` that
did not change in \`/v2\` are also available under \`/v2\`.`;

/**
 * Describes the whole server: routes from their documents, inputs and outputs from the schema, errors from the catalogue.
 *
 * @returns a function that returns the description, written at the first call: most processes end before anybody reads it.
 * @throws DocumentError if two operations would have the same id, or two shapes the same name.
 */
export function createOpenApi(
  schema: GraphQLSchema,
  routes: readonly Route[],
  streams: readonly StreamRoute[],
): () => OpenApi {
  refuseTakenIds(routes);
  // A route of /v1 that /v2 has unchanged has the same shapes there.
  const own = routes.filter(({ carriedOver }) => !carriedOver);
  refuseTakenNames([
    ...own.map(({ view, document }) => ({ shape: view.bodySchema, document })),
    ...streams.map(({ dataSchema, document }) => ({ shape: dataSchema, document })),
  ]);
  let written: OpenApi | undefined;
  return () => {
    written ??= writeOpenApi(schema, routes, streams);
    return written;
  };
}

function writeOpenApi(
  schema: GraphQLSchema,
  routes: readonly Route[],
  streams: readonly StreamRoute[],
): OpenApi {
  const components = new Components();
  components.define('ErrorDetail', () => ERROR_DETAIL);
  const writer = new OperationWriter(schema, components);
  const paths: Record<string, Record<string, Operation>> = {};
  const add = (path: string, method: string, operation: Operation) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const route of routes) {
    const stream = streams.find(({ path }) => route.method === 'GET' && path === route.path);
    add(route.path, route.method, writer.write(route, stream));
    for (const former of route.movedFrom) {
      add(former, route.method, writer.writeFormer(route, former));
    }
  }
  for (const [path, method, operation] of serverPaths(components)) add(path, method, operation);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Portico',
      version,
      summary: 'The REST facade of Portico.',
      description: flowing(DESCRIPTION),
    },
    servers: [{ url: '/', description: 'This server.' }],
    tags: tagsOf(routes),
    security: [],
    paths,
    webhooks: webhookMessages(),
    components: {
      schemas: components.schemas,
      responses: components.responses,
      headers: headersIn(paths, components.responses),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** Returns one tag for each subject, described by the first of its files that has a description. */
function tagsOf(routes: readonly Route[]): Tag[] {
  const tags = new Map<string, Tag>();
  for (const subject of [...routes.map(subjectOf), ...SERVER_TAGS, ...MESSAGE_TAGS]) {
    if (!tags.get(subject.name)?.description) tags.set(subject.name, subject);
  }
  return [...tags.values()];
}

/** Refuses an id that two operations would have. Names can also collide with ids under /v2 or at former paths: `GetOrderV2`. */
function refuseTakenIds(routes: readonly Route[]): void {
  /** The holder of each id. */
  const holders = new Map(
    serverPaths(new Components()).map(([, , { operationId }]) => [
      operationId,
      'an operation of the server itself',
    ]),
  );
  for (const route of routes) {
    const { definition } = route.document;
    for (const id of idsOf(route)) {
      const holder = holders.get(id);
      if (holder !== undefined) {
        throw new DocumentError(
          definition,
          `${id}, its id in OpenAPI, is already the id of ${holder}. Rename one of them.`,
        );
      }
      holders.set(id, `the operation in ${sourceLine(definition)}`);
    }
  }
}

/** Refuses shapes of one operation that would have the same name. */
function refuseTakenNames(
  shapes: readonly { readonly shape: Schema; readonly document: OperationDocument }[],
): void {
  const components = new Components();
  for (const { shape, document } of shapes) components.shape(shape, document);
}
