import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { Terminal } from './terminal.ts';

/** More than the cores of any machine. */
const MAX_WORKERS = 256;

export function declareServe(command: Command, terminal: Terminal): void {
  command
    .option(
      '--workers <number>',
      'number of processes that share the port (PostgreSQL and Linux only), or auto for one per core',
      workers,
      1,
    )
    .addHelpText(
      'after',
      '\nEnvironment: PORT, HOST, DATABASE_URL and the other settings of docs/configuration.md.',
    )
    .action(async (options: { workers: number }) => {
      if (options.workers > 1) {
        const { serveWithWorkers } = await import('./workers.ts');
        return serveWithWorkers(options.workers, terminal);
      }
      // The composition root starts the server when it is loaded, as with `npm start`.
      await import('../main.ts');
    });
}

function workers(text: string): number {
  if (text === 'auto') return availableParallelism();
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MAX_WORKERS) return number;
  throw new InvalidArgumentError(`It must be auto or a whole number from 1 to ${MAX_WORKERS}.`);
}
