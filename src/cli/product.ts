import type { Command } from 'commander';
import { systemClock } from '../core/clock.ts';
import { counted } from '../core/counted.ts';
import { LIMITS } from '../core/limits.ts';
import { toMajorUnits } from '../core/money.ts';
import { activeProducts } from '../db/queries/products.ts';
import { addList, requireOrganisation, withDatabase } from './database.ts';
import { operatorIn, perform } from './operator.ts';
import { decimal, filePath } from './options.ts';
import { type OutputOptions, writeResult } from './output.ts';
import { importProducts, readProductFile } from './product-import.ts';
import { withBar } from './progress.ts';
import type { Terminal } from './terminal.ts';

interface AddOptions extends OutputOptions {
  readonly org: string;
  readonly name: string;
  readonly unitPrice: number;
  readonly currency: string;
}

const ADD = `mutation ($input: CreateProductInput!) { createProduct(input: $input) { id unitPrice } }`;

export function declareProduct(product: Command, terminal: Terminal): void {
  addAdd(product, terminal);
  addList(product, terminal, {
    description: 'List the active products of an organisation.',
    after: activeProducts.after,
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
    .requiredOption('--org <id>', 'the id of the organisation')
    .requiredOption('--name <name>', 'the name of the product')
    .requiredOption(
      '--unit-price <decimal>',
      'the price per unit, in the major unit of the currency: 19.99',
      decimal,
    )
    .requiredOption('--currency <code>', 'the currency code (ISO 4217), such as USD')
    .option('--json', 'write JSON')
    .action(({ org, name, unitPrice, currency, json }: AddOptions) =>
      withDatabase(terminal, async (database) => {
        await requireOrganisation(database, org);
        const input = { name, unitPrice, currency };
        const { id } = await perform<{ id: string }>(database, operatorIn(org), ADD, { input });
        const made = { id: Number(id), org, name, unit_price: unitPrice, currency };
        const sentence = `Added ${name} to ${org} at ${unitPrice} ${currency}, with the id ${id}.`;
        writeResult(terminal, made, [sentence], { json });
      }),
    );
}

function addImport(product: Command, terminal: Terminal): void {
  product
    .command('import')
    .description('Add the products of a CSV file: all of them, or none if a line is invalid.')
    .argument('<file>', 'a CSV file in UTF-8, with the header row name,unit_price,currency', filePath)
    .requiredOption('--org <id>', 'the id of the organisation')
    .option('--json', 'write JSON')
    .action((file: string, { org, json }: OutputOptions & { org: string }) =>
      withDatabase(
        terminal,
        async (database) => {
          await requireOrganisation(database, org);
          const products = await readProductFile(file);
          const added = products.length;
          await withBar(terminal, added, 'products', (update) =>
            importProducts({ database, clock: systemClock, org }, products, update),
          );
          writeResult(terminal, { org, added }, [`Added ${counted(added, 'product')} to ${org}.`], { json });
        },
        LIMITS.importTransaction,
      ),
    );
}
