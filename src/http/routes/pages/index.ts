import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyStaticOptions } from '@fastify/static';
import type { FastifyReply, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify';
import { isSafeMethod } from '../../hooks/message.ts';
import type { HttpParts } from '../../parts.ts';
import { HTML, PUBLIC, textRoute } from '../texts.ts';
import { POLICY, policyWithStyles, readPage } from './page.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const { resolve } = createRequire(import.meta.url);

/** Returns the folder of an exported file of a package, since not every package exports its root. */
const folderOf = (file: string) => dirname(resolve(file));

/**
 * The folders of the files that pages load, our own and those of packages, each with the names of these files. They are served
 * unchanged, without a build step. No other file of a package is served.
 */
const FOLDERS: ReadonlyMap<string, readonly [path: string, names: RegExp]> = new Map([
  ['pages', [join(HERE, 'assets'), /^[\w-]+\.(js|css|svg)$/]],
  ['docs', [join(ROOT, 'docs/images'), /^[\w-]+\.svg$/]],
  // GraphiQL 5 has no browser build: it needs a bundler, and an editor of 3.8 MB whose styles need 'unsafe-inline'. Version 4 has one
  // of 1.1 MB. It uses React 18, the last version with browser builds.
  ['graphiql', [folderOf('graphiql/package.json'), /^graphiql\.min\.(js|css)$/]],
  ['react', [join(folderOf('react/package.json'), 'umd'), /^react\.production\.min\.js$/]],
  ['react-dom', [join(folderOf('react-dom/package.json'), 'umd'), /^react-dom\.production\.min\.js$/]],
  ['graphql-ws', [folderOf('graphql-ws/client'), /^[\w-]+\.js$/]],
  ['eventsource-parser', [folderOf('eventsource-parser'), /^(index|parse|errors)\.js$/]],
  ['console', [join(HERE, 'console'), /^[\w-]+\.(js|css)$/]],
  ['preact', [folderOf('preact'), /^preact\.mjs$/]],
  ['preact-hooks', [folderOf('preact/hooks'), /^hooks\.mjs$/]],
  ['preact-signals', [folderOf('@preact/signals'), /^signals\.mjs$/]],
  ['preact-signals-core', [folderOf('@preact/signals-core'), /^signals-core\.mjs$/]],
  ['htm', [folderOf('htm'), /^htm\.mjs$/]],
]);

/** Options of the plugin that serves files. It adds no routes of its own: {@link pageRoutes} serves only known files. */
export const FILE_OPTIONS: FastifyStaticOptions = {
  root: HERE,
  serve: false,
  cacheControl: false,
  // Partial responses are not worth the code, and servers may ignore Range (RFC 9110, section 14.2).
  acceptRanges: false,
  dotfiles: 'deny',
};

/** Returns the routes of the pages for people: the landing page, the pages behind links in mail, and the files that pages load. */
export const pageRoutes = (parts: HttpParts): RouteOptions[] => [
  textRoute('/', HTML, readPage('landing', '', parts), { 'content-security-policy': POLICY }),
  ...['reset-password', 'invitation'].map((name) =>
    textRoute(`/${name}`, HTML, readPage(name, name, parts), { 'content-security-policy': POLICY }),
  ),
  { method: 'GET', url: '/assets/:folder/:name', handler: sendFile },
];

/**
 * Sends the page of GraphiQL to a browser that opens the path. A client that accepts only JSON, or sends a query, gets a GraphQL
 * response. The nonce allows GraphiQL to add a style to the page while a dialog is open.
 */
export function showGraphiQL(parts: HttpParts): onRequestHookHandler {
  const page = readPage('graphiql', 'graphql', parts);
  return ({ method, headers, url }, reply, done) => {
    if (!isSafeMethod(method) || url.includes('?') || !headers.accept?.includes('text/html')) return done();
    const nonce = randomBytes(16).toString('base64');
    reply
      .headers({
        'cache-control': 'no-store',
        vary: 'Accept, Accept-Encoding',
        'content-security-policy': policyWithStyles(nonce),
      })
      .type(HTML)
      .send(page.replace('{nonce}', nonce));
  };
}

function sendFile(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Fastify's router returns strings by name.
  const { folder, name } = request.params as { readonly folder: string; readonly name: string };
  const [root, names] = FOLDERS.get(folder) ?? [];
  if (root === undefined || !names?.test(name)) {
    reply.callNotFound();
    return reply;
  }
  return reply.headers({ ...PUBLIC, 'x-content-type-options': 'nosniff' }).sendFile(name, root);
}
