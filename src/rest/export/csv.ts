/**
 * Rows as CSV (RFC 4180) in UTF-8: a header row, commas, CRLF. Members of objects within a row are columns of their own, named
 * with dots. Lists and other JSON are JSON text. Null is an empty field, and an empty text is `""`.
 */
import fastJsonStringify from 'fast-json-stringify';
import type { JsonSchema } from '../compile/view.ts';
import { mutableSchema } from '../handle/handler.ts';

type Row = Readonly<Record<string, unknown>>;

/** One field of a line, from what has the column. */
type Cell = (owner: Row | null) => string;

export interface Csv {
  /** The header row. */
  readonly header: string;
  write(row: Row): string;
}

interface Column {
  readonly title: string;
  readonly cell: Cell;
}

/** @param schema of a row, which is an object. */
export function createCsv(schema: JsonSchema): Csv {
  const columns = columnsOf(schema, '');
  const cells = columns.map(({ cell }) => cell);
  return {
    header: lineOf(columns.map(({ title }) => quoted(title))),
    write: (row) => lineOf(cells.map((cell) => cell(row))),
  };
}

const lineOf = (fields: readonly string[]) => `${fields.join(',')}\r\n`;

/** @param prefix of the titles, with its dot. */
function columnsOf({ properties = {} }: JsonSchema, prefix: string): Column[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const title = prefix + name;
    if (schema.properties) {
      return columnsOf(schema, `${title}.`).map(({ title: inner, cell }) => ({
        title: inner,
        // The member is as its schema says: an object, or null.
        cell: (owner: Row | null) => cell((owner?.[name] ?? null) as Row | null),
      }));
    }
    const write = writerOf(schema);
    const cell = (owner: Row | null) => {
      const value = owner?.[name];
      return value === null || value === undefined ? '' : write(value);
    };
    return [{ title, cell }];
  });
}

function writerOf(schema: JsonSchema): (value: unknown) => string {
  const types = [schema.type ?? []].flat();
  if (types.includes('string')) return schema.format === 'date-time' ? timestamp : writeText;
  if (types.some((type) => type === 'integer' || type === 'number' || type === 'boolean')) return String;
  const stringify = fastJsonStringify(mutableSchema(schema));
  return (value) => quoted(stringify(value));
}

/** What executes an operation leaves timestamps to what writes them. */
const timestamp = (value: unknown) => (value instanceof Date ? value.toISOString() : writeText(value));

const writeText = (value: unknown) => quoted(withoutFormula(String(value)));

/**
 * What spreadsheets take for the beginning of a formula, also behind apostrophes and in the full width of East Asian keyboards
 * (OWASP, "CSV Injection").
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A text that no spreadsheet evaluates: an apostrophe stands before one that begins like a formula. Readers that want the text as it
 * was remove one apostrophe before such a beginning, and no other.
 */
const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Also around an empty text, which is none at all otherwise. */
const quoted = (text: string): string =>
  text === '' || /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
