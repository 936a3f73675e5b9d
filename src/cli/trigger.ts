import type { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { EVENT_CATALOGUE, EVENT_TYPES, isEventType, subjectTypeOf } from '../events/catalogue.ts';
import { requireOrganisation, withDatabase } from './database.ts';
import { type OutputOptions, writeResult, writeRows } from './output.ts';
import { CommandError, type Terminal, UsageError } from './terminal.ts';
import { type TriggerClient, withTriggerClient } from './trigger/client.ts';
import { type Recipe, recipeFor } from './trigger/recipes.ts';

interface TriggerOptions extends OutputOptions {
  readonly org: string;
  readonly list?: boolean;
}

interface Caused {
  readonly id: number;
  readonly type: string;
}

/** Maximum number of events that one recipe causes. */
const MAX_EVENTS = 10;

export function declareTrigger(command: Command, terminal: Terminal): void {
  command
    .argument('[types...]', 'event types, such as order.shipped')
    .option('--list', 'list the types, and whether they can be triggered')
    .option('--org <id>', 'the id of the organisation', 'acme')
    .option('--json', 'write JSON')
    .addHelpText(
      'after',
      '\nIt creates the required objects, such as an order to ship, and removes keys, apps, webhooks and people afterwards.\nIt is refused in production.',
    )
    .action((types: string[], options: TriggerOptions) =>
      options.list ? list(terminal, types, options) : trigger(terminal, types, options),
    );
}

function list(terminal: Terminal, types: readonly string[], options: OutputOptions): void {
  if (types.length > 0) throw new UsageError('Pass either --list or event types, not both.');
  const rows = EVENT_TYPES.map((type) => {
    const recipe = recipeFor(type);
    const isAvailable = typeof recipe === 'function';
    return {
      type,
      available: isAvailable ? 'yes' : 'no',
      description: isAvailable ? EVENT_CATALOGUE[type].description : recipe.reason,
    };
  });
  writeRows(terminal, rows, options);
}

async function trigger(
  terminal: Terminal,
  types: readonly string[],
  { org, json }: TriggerOptions,
): Promise<void> {
  if (types.length === 0)
    throw new UsageError('Name an event type. "npx portico trigger --list" shows the types.');
  const config = loadConfig(terminal.environment);
  const recipes = types.map((type) => ({ type, recipe: recipeOf(type, config) }));
  await withDatabase(terminal, async (database) => {
    await requireOrganisation(database, org);
    const events = await withTriggerClient(database, config, org, async (client) => {
      const caused: Caused[] = [];
      for (const { type, recipe } of recipes) caused.push(...(await causedBy(client, type, recipe)));
      return caused;
    });
    const sentences = events.map(({ id, type }) => `Event ${id} of ${org}: ${type}`);
    writeResult(terminal, events, sentences, { json });
  });
}

/** @throws UsageError for an unknown type, CommandError for a type that cannot be triggered here. */
function recipeOf(type: string, { production, payments }: Config): Recipe {
  if (production) throw new CommandError('Events cannot be triggered in production (NODE_ENV).');
  if (!isEventType(type))
    throw new UsageError(
      `There are no events of the type "${type}". "npx portico trigger --list" shows the types.`,
    );
  if (subjectTypeOf(type) === 'charge' && payments.provider !== 'sandbox')
    throw new CommandError(
      `${type} cannot be triggered with PAYMENTS=${payments.provider}: charges would be real.`,
    );
  const recipe = recipeFor(type);
  if (typeof recipe === 'function') return recipe;
  throw new CommandError(`${type} cannot be triggered. ${recipe.reason}`);
}

/** Runs a recipe, and returns the events that it caused, oldest first. */
async function causedBy(client: TriggerClient, type: string, recipe: Recipe): Promise<readonly Caused[]> {
  const [before] = await newestEvents(client, 1);
  await recipe(client);
  const events = (await newestEvents(client, MAX_EVENTS)).filter(({ id }) => id > (before?.id ?? 0));
  if (!events.some((event) => event.type === type)) throw new CommandError(`${type} was not triggered.`);
  return events.toReversed();
}

async function newestEvents(client: TriggerClient, first: number): Promise<readonly Caused[]> {
  const { nodes } = await client.run<{
    readonly nodes: readonly { readonly id: string; readonly type: string }[];
  }>('query ($first: Int!) { feed(first: $first) { nodes { id type } } }', { first });
  return nodes.map(({ id, type }) => ({ id: Number(id), type }));
}
