import type { Command } from 'commander';
import { LIMITS } from '../core/limits.ts';
import type { Database } from '../db/database.ts';
import { deliveriesBefore } from '../db/queries/webhook-deliveries.ts';
import { type VisibleWebhook, webhooks, webhooksAfter } from '../db/queries/webhooks.ts';
import { addList, withDatabase } from './database.ts';
import { operatorIn, perform } from './operator.ts';
import { rowId, wholeNumber } from './options.ts';
import { type OutputOptions, writeRows } from './output.ts';
import { CommandError, type Terminal } from './terminal.ts';

interface DeliveriesOptions extends OutputOptions {
  readonly limit: number;
}

const TEST = 'mutation ($webhookId: ID!) { createWebhookTest(webhookId: $webhookId) { id } }';
const REDELIVER = `mutation ($webhookId: ID!, $deliveryId: ID!) {
  createWebhookAttempt(webhookId: $webhookId, deliveryId: $deliveryId) { number }
}`;

const WEBHOOK_ID = ['<id>', 'the id of the webhook, as shown by `webhook list`', rowId] as const;

export function declareWebhook(webhook: Command, terminal: Terminal): void {
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
  addDeliveries(webhook, terminal);
  addTest(webhook, terminal);
  addRedeliver(webhook, terminal);
}

function addDeliveries(webhook: Command, terminal: Terminal): void {
  webhook
    .command('deliveries')
    .description('List the deliveries of a webhook, newest first.')
    .argument(...WEBHOOK_ID)
    .option(
      '--limit <number>',
      'the maximum number to list',
      wholeNumber(LIMITS.commandPage),
      LIMITS.pageDefault,
    )
    .option('--json', 'write JSON')
    .action((webhookId: number, { limit, json }: DeliveriesOptions) =>
      withWebhook(terminal, webhookId, async (database, { org }) => {
        const page = { org, webhookId, fromId: Number.MAX_SAFE_INTEGER, limit };
        const shown = (await deliveriesBefore(database, page)).map((row) => ({
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

function addTest(webhook: Command, terminal: Terminal): void {
  webhook
    .command('test')
    .description('Send the event webhook.tested to one webhook, regardless of its event types.')
    .argument(...WEBHOOK_ID)
    .action((webhookId: number) =>
      withWebhook(terminal, webhookId, async (database, { org, url }) => {
        const { id } = await perform<{ readonly id: string }>(database, operatorIn(org), TEST, { webhookId });
        terminal.out(
          `Event ${id} will be sent to ${url}. "npx portico webhook deliveries ${webhookId}" shows the result.\n`,
        );
      }),
    );
}

function addRedeliver(webhook: Command, terminal: Terminal): void {
  webhook
    .command('redeliver')
    .description('Send a message again now, with the same webhook-id.')
    .argument(...WEBHOOK_ID)
    .argument('<delivery>', 'the id of the delivery, as shown by `webhook deliveries`', rowId)
    .action((webhookId: number, deliveryId: number) =>
      withWebhook(terminal, webhookId, async (database, { org, url }) => {
        const ids = { webhookId, deliveryId };
        const { number } = await perform<{ number: number }>(database, operatorIn(org), REDELIVER, ids);
        terminal.out(`Delivery ${deliveryId} will be sent to ${url} again, as attempt ${number}.\n`);
      }),
    );
}

/** Runs the work for a webhook of any organisation. @throws CommandError if there is no such webhook. */
const withWebhook = (
  terminal: Terminal,
  id: number,
  work: (database: Database, webhook: VisibleWebhook) => Promise<void>,
): Promise<void> =>
  withDatabase(terminal, async (database) => {
    const org = await webhooks.orgOf(database, id);
    const found = org === undefined ? undefined : await webhooks.find(database, org, id);
    if (!found) throw new CommandError(`There is no webhook ${id}.`);
    await work(database, found);
  });
