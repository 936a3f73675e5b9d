import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { readApi } from '../rest/api.ts';
import type { Terminal } from './terminal.ts';

export function addOpenApiCommand(program: Command, terminal: Terminal): void {
  program
    .command('openapi')
    .description('Write the OpenAPI 3.1 description of the REST routes as JSON.')
    .option('--out <file>', 'the file to write (default: standard output)')
    .action(async ({ out }: { out?: string }) => {
      const text = `${JSON.stringify(readApi(loadConfig({})).openApi(), null, 2)}\n`;
      if (out === undefined) terminal.out(text);
      else await writeFile(out, text);
    });
}
