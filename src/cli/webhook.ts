import type { Command } from 'commander';
import { LIMITS } from '../core/limits.ts';
import { deliveriesBefore } from '../db/queries/webhook-deliveries.ts';
import { findWebhook, orgOfWebhook, webhooksAfter } from '../db/queries/webhooks.ts';
import { withDatabase } from './database.ts';
import { CommandError } from './errors.ts';
import { addList } from './listing.ts';
import { wholeNumber } from './options.ts';
import { type OutputOptions, writeRows } from './output.ts';
import type { Terminal } from './terminal.ts';

interface DeliveriesOptions extends OutputOptions {
  readonly limit: number;
}

export function addWebhookCommands(program: Command, terminal: Terminal): void {
  const webhook = program.command('webhook').description('Manage webhooks.').helpCommand(false);
  addList(webhook, terminal, {
    description: 'List the webhooks of an organisation.',
    after: webhooksAfter,
    show: ({ id, url, types, disabledAt, disabledReason, lastGoodAt }) => ({
      id,
      url,
      types,
      disabled_at: disabledAt,
      disabled_reason: disabledReason,
      last_good_at: lastGoodAt,
    }),
  });
  webhook
    .command('deliveries')
    .description('List the deliveries of a webhook, newest first.')
    .argument(
      '<id>',
      'the number of the webhook, as `webhook list` shows it',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .option('--limit <number>', 'how many at most', wholeNumber(1, LIMITS.pageMax), LIMITS.pageDefault)
    .option('--json', 'write JSON')
    .action((id: number, { limit, json }: DeliveriesOptions) =>
      withDatabase(terminal, async (database) => {
        const org = await orgOfWebhook(database, id);
        const found = org === undefined ? undefined : await findWebhook(database, org, id);
        if (!found) throw new CommandError(`There is no webhook ${id}.`);
        const rows = await deliveriesBefore(database, found, Number.MAX_SAFE_INTEGER, limit);
        const shown = rows.map((row) => ({
          id: row.id,
          message_id: row.messageId,
          type: row.eventType,
          event_id: row.eventId,
          status: row.status,
          created_at: row.createdAt,
          finished_at: row.finishedAt,
        }));
        writeRows(terminal, shown, { json });
      }),
    );
}
