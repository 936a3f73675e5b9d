/** The documentation: `/docs`, the guides and references below it, and the index for its search. */
import type { FastifyReply, RouteOptions } from 'fastify';
import { GUIDES } from '../../../rest/openapi/guides.ts';
import { refuseUnknownRoute } from '../../hooks/errors.ts';
import { escapeHtml } from '../../html.ts';
import { JSON_TYPE, weightOf } from '../../negotiation.ts';
import type { HttpParts } from '../../parts.ts';
import { HTML, textRoute } from '../texts.ts';
import { graphPage } from './graph.ts';
import { guidePage, inlineHtmlOf } from './guides.ts';
import { DOC_HEADERS, type DocPage, docPage, NAVIGATION, slugOf } from './layout.ts';
import { restPage } from './rest.ts';

/** Creates the routes of the documentation. Pages are written on first request, so that they do not delay the start. */
export function docsRoutes(parts: HttpParts): RouteOptions[] {
  const { openApi, schema } = parts.api;
  const makers: ReadonlyMap<string, () => DocPage> = new Map([
    ['rest', () => restPage(openApi(), 'v2')],
    ['rest-v1', () => restPage(openApi(), 'v1')],
    ['graph', () => graphPage(schema)],
    ...GUIDES.map((name) => [name, () => guidePage(name)] as const),
  ]);
  const page = (url: string, make: () => DocPage) =>
    textRoute(url, HTML, () => docPage(make(), parts), DOC_HEADERS);
  const search = () => JSON.stringify(entriesOf([...makers.values()].map((make) => make())));
  return [
    page('/docs', () => startPage(parts.services.basePath)),
    ...[...makers].map(([name, make]) => page(`/docs/${name}`, make)),
    textRoute('/docs/search.json', JSON_TYPE, search),
    { method: 'GET', url: '/docs/:name', handler: (_request, reply) => refuseUnknownPage(reply, parts) },
  ];
}

/** Responds to a request for a page that does not exist. Browsers get it with the navigation, other clients an error like for any other path. */
function refuseUnknownPage(reply: FastifyReply, parts: HttpParts): FastifyReply {
  const { request } = reply;
  const { accept } = request.headers;
  reply.header('vary', 'Accept, Accept-Encoding');
  if (weightOf('text/html', accept) <= weightOf('application/json', accept))
    return refuseUnknownRoute(request);
  const lead = `See the <a href="${parts.services.basePath}/docs">list of all pages</a>, or search for it.`;
  const body = `<h1>Page not found</h1>\n<p class="lead">${lead}</p>`;
  const text = docPage({ name: 'missing', title: 'Page not found', body }, parts);
  return reply.code(404).headers(DOC_HEADERS).type(HTML).send(text);
}

/** Writes the first page: a list of all pages, each with a sentence about it. */
function startPage(basePath: string): DocPage {
  const lists = NAVIGATION.map(
    ({ title, pages }) => `<h2 id="${slugOf(title)}">${title}</h2>
<ul class="topics">${pages
      .map(
        ([name, label]) =>
          `<li><a href="${basePath}/docs/${name}">${escapeHtml(label)}</a><span>${inlineHtmlOf(LEADS[name] ?? '')}</span></li>`,
      )
      .join('')}</ul>`,
  );
  return {
    name: '',
    title: 'Documentation',
    body: `<h1>Documentation</h1>
<p class="lead">One schema for all interfaces: GraphQL at <code>/graphql</code>, REST below <code>/v2</code>, streams and webhooks. Try it in
<a href="${basePath}/graphql">GraphiQL</a>, or browse the data in the <a href="${basePath}/console">console</a>.</p>
${lists.join('\n')}`,
  };
}

/** A sentence about each page of the navigation, which the test of the pages demands. */
const LEADS: Readonly<Record<string, string>> = {
  agents: 'The operations of the API as tools of AI agents, over MCP.',
  apps: 'OAuth 2.0: integrations that act on behalf of people.',
  audit: 'Who did what, with which credentials and from where.',
  people: 'Members, invitations, passwords and sessions.',
  products: 'The catalogue, by REST and GraphQL.',
  operation: 'Starting, upgrading, backups and monitoring.',
  configuration: 'Every setting with its default.',
  certificates: 'TLS in the server, and machines that present a client certificate.',
  scaling: 'How to size a deployment for its number of requests.',
  performance: 'Measured against hand-written servers, mercurius and Apollo Server.',
  authentication: 'Sign-in, refresh tokens, API keys, roles and scopes.',
  clients: 'Generated and caching clients, in a few lines each.',
  exports: 'Whole lists as NDJSON and CSV.',
  idempotency: 'Retries that never move money twice.',
  paging: 'Pagination by page number and by cursor.',
  streams: 'Live events over WebSocket and server-sent events, without gaps.',
  versions: 'What a version guarantees, and how to migrate to the next.',
  webhooks: 'Signed messages, retries, tests and the log of attempts.',
  rest: 'Every route with its parameters, responses and errors, and a form to try it.',
  'rest-v1': 'The routes of the previous version.',
  graph: 'Types, fields, scopes and points.',
  errors: 'Every code, its status and its meaning.',
  events: 'Every type with its data.',
  changelog: 'What is new, and what will be removed.',
};

/** Returns the entries of the search index: titles and parts of pages. */
const entriesOf = (pages: readonly DocPage[]): { title: string; page: string; place: string }[] =>
  pages.flatMap(({ name, title, parts = [], found = [] }) => [
    { title, page: title, place: name },
    ...[...parts, ...found].map(([place, text]) => ({ title: text, page: title, place: `${name}#${place}` })),
  ]);
