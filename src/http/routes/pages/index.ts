import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyStaticOptions } from '@fastify/static';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { otherMethods } from '../methods.ts';
import { textRoute } from '../texts.ts';
import { POLICY } from './policy.ts';
import { readPage } from './read-page.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

const { resolve } = createRequire(import.meta.url);

/** The folder of a file that a package gives to the public, since not every package lets its folder be asked for. */
const folderOf = (file: string) => dirname(resolve(file));

/** Where the pages' files are, ours and those of packages. They are served as they are: nothing is built. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['pages', join(HERE, 'assets')],
  ['swagger-ui', folderOf('swagger-ui-dist/swagger-ui-bundle.js')],
  ['graphiql', join(folderOf('graphiql/package.json'))],
  ['react', join(folderOf('react/package.json'), 'umd')],
  ['react-dom', join(folderOf('react-dom/package.json'), 'umd')],
  ['graphql-ws', folderOf('graphql-ws/client')],
]);

/** The files that pages ask for, by folder. Nothing else of a package can be fetched. */
const FILES: ReadonlyMap<string, RegExp> = new Map([
  ['pages', /^[\w-]+\.(js|css|svg)$/],
  ['swagger-ui', /^swagger-ui(-bundle)?\.(js|css)$/],
  ['graphiql', /^graphiql\.min\.(js|css)$/],
  ['react', /^react\.production\.min\.js$/],
  ['react-dom', /^react-dom\.production\.min\.js$/],
  ['graphql-ws', /^[\w-]+\.js$/],
]);

const HTML = 'text/html; charset=utf-8';

/** What serves the files of pages. No path is a file by itself: {@link pageRoutes} names those that are served. */
export const FILE_OPTIONS: FastifyStaticOptions = {
  root: HERE,
  serve: false,
  cacheControl: false,
  dotfiles: 'deny',
};

/**
 * The pages for people: what this is, at `/`, the reference of REST, at `/docs`, and the files that pages load.
 *
 * @param offerDemo whether they offer the account of the demo data to sign in with.
 */
export const pageRoutes = (offerDemo: boolean): RouteOptions[] => [
  textRoute('/', HTML, readPage('landing', offerDemo), { 'content-security-policy': POLICY }),
  textRoute('/docs', HTML, readPage('docs', offerDemo), { 'content-security-policy': POLICY }),
  ...otherMethods('/docs', ['GET']),
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
