import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { answerOtherMethods } from '../methods.ts';
import { addText } from '../texts.ts';
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

/** The pages for people: what this is, at `/`, and the reference of REST, at `/docs`. */
export function addPages(app: FastifyInstance, offerDemo: boolean): void {
  addText(app, '/', HTML, readPage('landing', offerDemo), { 'content-security-policy': POLICY });
  addText(app, '/docs', HTML, readPage('docs', offerDemo), { 'content-security-policy': POLICY });
  answerOtherMethods(app, '/docs', ['GET']);
  app.register(fastifyStatic, { root: HERE, serve: false, cacheControl: false, dotfiles: 'deny' });
  app.get<{ Params: { folder: string; name: string } }>('/assets/:folder/:name', (request, reply) => {
    const { folder, name } = request.params;
    const root = FOLDERS.get(folder);
    if (root === undefined || !FILES.get(folder)?.test(name)) return reply.callNotFound();
    return reply
      .headers({
        'cache-control': 'public, no-cache',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
      })
      .sendFile(name, root);
  });
}

const HTML = 'text/html; charset=utf-8';
