import type { Command } from 'commander';
import { hashPassword } from '../auth/passwords.ts';
import { loadConfig } from '../config.ts';
import { counted } from '../core/counted.ts';
import { migrate } from '../db/open.ts';
import { unusable, withDatabase } from './database.ts';
import { installDemo } from './demo/install.ts';
import { seed } from './demo/seed.ts';
import { wholeNumber } from './options.ts';
import { withBar } from './progress.ts';
import { CommandError, type Terminal } from './terminal.ts';

const MAX_ORDERS = 10_000_000;

export function declareSeed(command: Command, terminal: Terminal): void {
  command
    .requiredOption(
      '--orders <number>',
      'how many orders, each with 3 items and its events; a user is added for every 100',
      wholeNumber(MAX_ORDERS),
    )
    .action(async ({ orders }: { orders: number }) => {
      const { production, database: place } = loadConfig(terminal.environment);
      if (production) {
        throw new CommandError(
          'NODE_ENV is production, where no demo data is installed: its accounts have a known password.',
        );
      }
      await migrate(place.directUrl).catch(unusable(place.directUrl));
      await withDatabase(terminal, async (database) => {
        await installDemo(database, hashPassword);
        await withBar(terminal, orders, 'orders', (onProgress) => seed({ database, orders, onProgress }));
      });
      terminal.out(`Added ${counted(orders, 'order')}.\n`);
    });
}
