import type { Command } from 'commander';
import { systemClock } from '../core/clock.ts';
import { toMajorUnits } from '../core/money.ts';
import { productsAfter } from '../db/queries/products.ts';
import { requireOrganisation, withDatabase } from './database.ts';
import { addList } from './listing.ts';
import { operatorIn, perform } from './operator.ts';
import { decimal } from './options.ts';
import { type OutputOptions, writeResult } from './output.ts';
import { readProductFile } from './product-file.ts';
import { importProducts } from './product-import.ts';
import { startBar } from './progress.ts';
import type { Terminal } from './terminal.ts';

interface AddOptions extends OutputOptions {
  readonly org: string;
  readonly name: string;
  readonly unitPrice: number;
  readonly currency: string;
}

const ADD = `mutation ($input: CreateProductInput!) { createProduct(input: $input) { id unitPrice } }`;

export function addProductCommands(program: Command, terminal: Terminal): void {
  const product = program.command('product').description('Manage products.').helpCommand(false);
  addAdd(product, terminal);
  addList(product, terminal, {
    description: 'List the products of an organisation that can be ordered.',
    after: productsAfter,
    show: ({ id, name, unitPrice, currency, createdAt }) => ({
      id,
      name,
      unit_price: toMajorUnits(unitPrice, currency),
      currency,
      created_at: createdAt,
    }),
  });
  addImport(product, terminal);
}

function addAdd(product: Command, terminal: Terminal): void {
  product
    .command('add')
    .description('Add a product.')
    .requiredOption('--org <id>', 'the organisation, by its short name')
    .requiredOption('--name <name>', 'the name that people see')
    .requiredOption(
      '--unit-price <decimal>',
      "price of one piece, in the currency's usual unit: 19.99",
      decimal,
    )
    .requiredOption('--currency <code>', 'the currency (ISO 4217), such as USD')
    .option('--json', 'write JSON')
    .action(({ org, name, unitPrice, currency, json }: AddOptions) =>
      withDatabase(terminal, async (database) => {
        await requireOrganisation(database, org);
        const input = { name, unitPrice, currency };
        const { id } = await perform<{ id: string }>(database, operatorIn(org), ADD, { input });
        const made = { id: Number(id), org, name, unit_price: unitPrice, currency };
        writeResult(
          terminal,
          made,
          [`Added ${name} to ${org} for ${unitPrice} ${currency}, with the id ${id}.`],
          {
            json,
          },
        );
      }),
    );
}

function addImport(product: Command, terminal: Terminal): void {
  product
    .command('import')
    .description('Add the products of a CSV file: all of them or, when a line is wrong, none.')
    .argument('<file>', 'in UTF-8, with the titles name, unit_price and currency in its first line')
    .requiredOption('--org <id>', 'the organisation, by its short name')
    .option('--json', 'write JSON')
    .action((file: string, { org, json }: OutputOptions & { org: string }) =>
      withDatabase(terminal, async (database) => {
        await requireOrganisation(database, org);
        const products = await readProductFile(file);
        const progress = startBar(terminal, products.length, 'products');
        try {
          await importProducts({ database, clock: systemClock, org }, products, progress.update);
        } finally {
          progress.stop();
        }
        const added = products.length;
        writeResult(terminal, { org, added }, [`Added ${added} products to ${org}.`], { json });
      }),
    );
}
