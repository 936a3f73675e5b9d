/** Imports the products of a file: CSV (RFC 4180) in UTF-8, with a header row. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { OPERATOR_ORIGIN } from '../auth/origins.ts';
import type { Clock } from '../core/clock.ts';
import { counted } from '../core/counted.ts';
import { parseDecimal } from '../core/decimal.ts';
import { reasonOf } from '../core/failure.ts';
import { LIMITS } from '../core/limits.ts';
import { readUnitPrice, toMajorUnits } from '../core/money.ts';
import type { Database } from '../db/database.ts';
import { insertProducts, type NewProduct } from '../db/queries/products.ts';
import { loadRows } from '../db/queries/shared/loading.ts';
import { columnsOf } from '../events/record.ts';
import { inputCheck } from '../graphql/directives/constraint.ts';
import { buildSchema } from '../graphql/schema.ts';
import { CommandError } from './terminal.ts';

/** The titles of the columns, in any order, and the corresponding members of `CreateProductInput`. */
const COLUMNS: ReadonlyMap<string, keyof ReadProduct> = new Map([
  ['name', 'name'],
  ['unit_price', 'unitPrice'],
  ['currency', 'currency'],
]);
const TITLES = [...COLUMNS.keys()];

interface CsvRecord {
  readonly record: readonly string[];
  /** The line of the file on which the record ends, from 1. */
  readonly info: { readonly lines: number };
}

/**
 * Reads a file of products.
 *
 * @throws CommandError with all invalid lines, or why the file cannot be read.
 */
export async function readProductFile(path: string): Promise<readonly ReadProduct[]> {
  const [titles, ...records] = parseFile(await readBounded(path), path);
  const order = columnOrder(titles?.record ?? [], path);
  if (records.length > LIMITS.importedProducts) {
    throw new CommandError(`${path} has more than ${LIMITS.importedProducts} products. Split it.`);
  }
  const check = inputCheck(buildSchema(), 'CreateProductInput');
  const products: ReadProduct[] = [];
  const problems: string[] = [];
  for (const { record, info } of records) {
    const read = readRecord(record, order, check);
    if (Array.isArray(read)) problems.push(`  line ${info.lines}: ${read.join('; ')}`);
    else products.push(read);
  }
  if (problems.length > 0) {
    const lines = problems.length === 1 ? '1 line is' : `${problems.length} lines are`;
    throw new CommandError([`${path}: ${lines} invalid, and nothing was added.`, ...problems].join('\n'));
  }
  return products;
}

/**
 * Reads a product by the rules of `CreateProductInput`.
 *
 * @param check checks the constraints of the input type.
 * @returns the product, or the problems of its line.
 */
function readRecord(
  record: readonly string[],
  order: readonly (keyof ReadProduct)[],
  check: ReturnType<typeof inputCheck>,
): ReadProduct | string[] {
  if (record.length !== order.length) return [`has ${counted(record.length, 'column')}, not ${order.length}`];
  // The number of values was checked above.
  const text = Object.fromEntries(order.map((member, at) => [member, record[at]])) as {
    readonly [Member in keyof ReadProduct]: string;
  };
  const { name, unitPrice, currency } = text;
  const details = [...check(text)];
  const price = parseDecimal(unitPrice)
    ? readUnitPrice(unitPrice, currency)
    : { path: 'unitPrice', message: 'must be a number, such as 19.99' };
  if (typeof price !== 'number') details.push(price);
  else if (details.length === 0) return { name, unitPrice: price, currency };
  return details.map(({ path, message }) => `${titleOf(path)} ${message}`);
}

const titleOf = (path: string) => TITLES.find((title) => COLUMNS.get(title) === path) ?? path;

/** Reads a file, which may be a pipe, whose size is not known. */
async function readBounded(path: string): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    // The position of the last byte to read: one more than is allowed.
    const file = createReadStream(path, { end: LIMITS.importedBytes });
    for await (const chunk of file as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length > LIMITS.importedBytes) {
    throw new CommandError(`${path} has more than ${LIMITS.importedBytes} bytes. Split it.`);
  }
  if (!isUtf8(bytes)) throw new CommandError(`${path} is not UTF-8.`);
  return new TextDecoder().decode(bytes);
}

function parseFile(text: string, path: string): readonly CsvRecord[] {
  try {
    // With `info` each record has its line number, which the types of the library omit.
    return parse(text.replace(/\r\n?/g, '\n'), {
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      // By default the first line decides, and a file that was joined from several may have more than one kind.
      record_delimiter: '\n',
      // Titles, and one record too many: a record takes more memory than its text.
      to: LIMITS.importedProducts + 2,
    }) as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CommandError(`${path} is not CSV: ${error.message}.`, { cause: error });
  }
}

/** Returns the members in the order of the columns. @throws CommandError unless each column appears exactly once. */
function columnOrder(titles: readonly string[], path: string): readonly (keyof ReadProduct)[] {
  const given = titles.map((title) => title.trim().toLowerCase());
  if (given.toSorted().join() !== TITLES.toSorted().join()) {
    throw new CommandError(
      `${path} must begin with a header row: ${TITLES.join(', ')}. It has: ${titles.join(', ') || 'nothing'}.`,
    );
  }
  return given.flatMap((title) => COLUMNS.get(title) ?? []);
}

/** A valid product. */
type ReadProduct = Pick<NewProduct, 'name' | 'unitPrice' | 'currency'>;

/**
 * Writes products, each with its event, in one transaction: all of them or none.
 *
 * @param onProgress called with the number of products written so far.
 */
export async function importProducts(
  { database, clock, org }: { readonly database: Database; readonly clock: Clock; readonly org: string },
  products: readonly ReadProduct[],
  onProgress: (written: number) => void,
): Promise<void> {
  await database.transaction(async (tx) => {
    const now = clock();
    for (let start = 0; start < products.length; start += LIMITS.importChunk) {
      const chunk = products.slice(start, start + LIMITS.importChunk);
      const rows = await insertProducts(
        tx,
        chunk.map((product) => ({ ...product, org, now })),
      );
      const events = rows
        .toSorted((a, b) => a.id - b.id)
        .map((row) => ({
          ...columnsOf({ type: 'product.created', org, subjectId: row.id, data: dataOf(row) }, clock),
          // An operator is not a member of the organisation.
          actorId: null,
          ...ORIGIN,
        }));
      await loadRows(tx, 'events', events);
      onProgress(start + chunk.length);
    }
    tx.notifyLogGrowth(org, 'product.created');
  });
}

const { callerOrg: _, ...ORIGIN } = OPERATOR_ORIGIN;

const dataOf = ({ name, unitPrice, currency }: ReadProduct) => ({
  name,
  unit_price: toMajorUnits(unitPrice, currency),
  currency,
});
