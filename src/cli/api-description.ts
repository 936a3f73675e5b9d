/** The commands that write a description of the API to a file or to standard output. */
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { printSchema } from 'graphql';
import { loadConfig } from '../config.ts';
import { buildSchema } from '../graphql/schema.ts';
import { readApi } from '../rest/api.ts';
import { filePath, unwritable } from './options.ts';
import type { Terminal } from './terminal.ts';

export function declareOpenApi(command: Command, terminal: Terminal): void {
  declareWriter(command, terminal, () => JSON.stringify(readApi(loadConfig({})).openApi(), null, 2));
}

export function declareSchema(command: Command, terminal: Terminal): void {
  declareWriter(command, terminal, () => printSchema(buildSchema()));
}

function declareWriter(command: Command, terminal: Terminal, describe: () => string): void {
  command
    .option('--out <file>', 'the file to write (default: standard output)', filePath)
    .action(async ({ out }: { out?: string }) => {
      const text = `${describe()}\n`;
      if (out === undefined) terminal.out(text);
      else await writeFile(out, text).catch(unwritable(out));
    });
}
