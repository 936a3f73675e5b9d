/**
 * Writes rows as CSV (RFC 4180) in UTF-8: a header row, commas, CRLF. A member of an object within a row has its own column,
 * named with dots. Lists and other JSON values are JSON text. Null is an empty field, and an empty string is `""`.
 */
import { type JsonSchema, jsonWriter } from '../compile/view.ts';

type Row = Readonly<Record<string, unknown>>;

/** Writes one field of a line. @param owner the object with the value. */
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

/** @param schema the schema of a row, which is an object. */
export function createCsv(schema: JsonSchema): Csv {
  const columns = columnsOf(schema, '');
  const cells = columns.map(({ cell }) => cell);
  return {
    header: lineOf(columns.map(({ title }) => quoted(title))),
    write: (row) => lineOf(cells.map((cell) => cell(row))),
  };
}

const lineOf = (fields: readonly string[]) => `${fields.join(',')}\r\n`;

/** @param prefix the prefix of the titles, with its dot. */
function columnsOf({ properties = {} }: JsonSchema, prefix: string): Column[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const title = prefix + name;
    if (schema.properties) {
      return columnsOf(schema, `${title}.`).map(({ title: inner, cell }) => ({
        title: inner,
        // By its schema the member is an object or null.
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
  const stringify = jsonWriter(schema);
  return (value) => quoted(stringify(value));
}

/** Execution leaves timestamps as Date objects, for the writer to format. */
const timestamp = (value: unknown) => (value instanceof Date ? value.toISOString() : writeText(value));

const writeText = (value: unknown) => quoted(withoutFormula(String(value)));

/**
 * Matches what spreadsheets interpret as the beginning of a formula, also after apostrophes and in full-width characters
 * (OWASP, "CSV Injection").
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * Prefixes a text that begins like a formula with an apostrophe, so that no spreadsheet evaluates it. To restore the original
 * text, readers remove one apostrophe before such a beginning, and no other.
 */
const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Quotes a text if necessary. An empty text is quoted, since an empty field means null. */
const quoted = (text: string): string =>
  text === '' || /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
