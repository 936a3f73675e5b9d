import type { Command } from 'commander';

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Migrate and start the server. SIGTERM and SIGINT stop it.')
    .addHelpText(
      'after',
      '\nEnvironment: PORT, HOST, DATABASE_URL and the other settings of docs/operation.md.',
    )
    .action(async () => {
      // The composition root starts when it is loaded, as with `npm start`.
      await import('../main.ts');
    });
}
