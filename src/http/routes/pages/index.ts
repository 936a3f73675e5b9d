import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyStaticOptions } from '@fastify/static';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { textRoute } from '../texts.ts';
import { POLICY } from './policy.ts';
import { type PageOptions, readPage } from './read-page.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const { resolve } = createRequire(import.meta.url);

/** The folder of a file that a package gives to the public, since not every package lets its folder be asked for. */
const folderOf = (file: string) => dirname(resolve(file));

/** Where the pages' files are, ours and those of packages. They are served as they are: nothing is built. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['pages', join(HERE, 'assets')],
  ['docs', join(ROOT, 'docs/images')],
  // GraphiQL 5 has no files for browsers: it takes a bundler, and an editor of 3.8 MB whose styles need 'unsafe-inline'. Version 4 is
  // 1.1 MB as it comes. React is 18 for it, the last version with files for browsers.
  ['graphiql', folderOf('graphiql/package.json')],
  ['react', join(folderOf('react/package.json'), 'umd')],
  ['react-dom', join(folderOf('react-dom/package.json'), 'umd')],
  ['graphql-ws', folderOf('graphql-ws/client')],
  ['console', join(HERE, 'console')],
  ['preact', folderOf('preact')],
  ['preact-hooks', folderOf('preact/hooks')],
  ['preact-signals', folderOf('@preact/signals')],
  ['preact-signals-core', folderOf('@preact/signals-core')],
  ['htm', folderOf('htm')],
]);

/** The files that pages ask for, by folder. Nothing else of a package can be fetched. */
const FILES: ReadonlyMap<string, RegExp> = new Map([
  ['pages', /^[\w-]+\.(js|css|svg)$/],
  ['docs', /^[\w-]+\.svg$/],
  ['graphiql', /^graphiql\.min\.(js|css)$/],
  ['react', /^react\.production\.min\.js$/],
  ['react-dom', /^react-dom\.production\.min\.js$/],
  ['graphql-ws', /^[\w-]+\.js$/],
  ['console', /^[\w-]+\.(js|css)$/],
  ['preact', /^preact\.mjs$/],
  ['preact-hooks', /^hooks\.mjs$/],
  ['preact-signals', /^signals\.mjs$/],
  ['preact-signals-core', /^signals-core\.mjs$/],
  ['htm', /^htm\.mjs$/],
]);

const HTML = 'text/html; charset=utf-8';

/** What serves the files of pages. No path is a file by itself: {@link pageRoutes} names those that are served. */
export const FILE_OPTIONS: FastifyStaticOptions = {
  root: HERE,
  serve: false,
  cacheControl: false,
  // A part of a file is not worth a second way to send it; Range may be ignored (RFC 9110, section 14.2).
  acceptRanges: false,
  dotfiles: 'deny',
};

/**
 * The pages for people: what this is, at `/`, those that links in mail lead to, and the files that pages load.
 */
export const pageRoutes = (options: PageOptions): RouteOptions[] => [
  textRoute('/', HTML, readPage('landing', '', options), { 'content-security-policy': POLICY }),
  ...['reset-password', 'invitation'].map((name) =>
    textRoute(`/${name}`, HTML, readPage(name, name, options), { 'content-security-policy': POLICY }),
  ),
  { method: 'GET', url: '/assets/:folder/:name', handler: sendFile },
];

function sendFile(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // Fastify's router gives texts by name.
  const { folder, name } = request.params as { readonly folder: string; readonly name: string };
  const root = FOLDERS.get(folder);
  if (root === undefined || !FILES.get(folder)?.test(name)) {
    reply.callNotFound();
    return reply;
  }
  return reply
    .headers({
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    })
    .sendFile(name, root);
}
