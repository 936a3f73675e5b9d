import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { printSchema } from 'graphql';
import { buildSchema } from '../graphql/schema.ts';
import type { Terminal } from './terminal.ts';

export function addSchemaCommand(program: Command, terminal: Terminal): void {
  program
    .command('schema')
    .description('Write the GraphQL schema as SDL, for code generators and reviews.')
    .option('--out <file>', 'the file to write (default: standard output)')
    .action(async ({ out }: { out?: string }) => {
      const sdl = `${printSchema(buildSchema())}\n`;
      if (out === undefined) terminal.out(sdl);
      else await writeFile(out, sdl);
    });
}
