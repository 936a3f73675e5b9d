import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { buildSchema } from '../graphql/schema.ts';
import { createOpenApi, createRoutes, createStreamRoutes, readDocuments } from '../rest/index.ts';
import type { Terminal } from './terminal.ts';

const REST_FOLDER = fileURLToPath(new URL('../../rest', import.meta.url));

export function addOpenApiCommand(program: Command, terminal: Terminal): void {
  program
    .command('openapi')
    .description('Writes what the REST routes take and give as OpenAPI 3.1, in JSON.')
    .option('--out <file>', 'where to, in place of standard output')
    .action(async ({ out }: { out?: string }) => {
      const schema = buildSchema();
      const documents = readDocuments(schema, REST_FOLDER);
      const routes = createRoutes(schema, documents);
      const openApi = createOpenApi(schema, routes, createStreamRoutes(schema, documents, routes));
      const text = `${JSON.stringify(openApi, null, 2)}\n`;
      if (out === undefined) terminal.out(text);
      else await writeFile(out, text);
    });
}
