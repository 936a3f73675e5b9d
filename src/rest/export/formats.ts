/** The formats of exports. Each ends with a marker that the list is complete, which a truncated export lacks. */
import { jsonWriter } from '../../pipeline/compile.ts';
import type { Schema } from '../openapi/types.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface ExportFormat {
  readonly contentType: string;
  /** The text before the rows. */
  readonly header: string;
  write(rows: readonly Row[]): string;
  /** Returns the last line, with the number of rows. A client may ask for it where it is not part of the format. */
  end(rows: number, isAsked: boolean): string;
}

/** The media types of exports, one for each format. */
export const EXPORT_TYPES = ['application/x-ndjson', 'text/csv'] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];

type ExportFormats = Readonly<Record<ExportType, ExportFormat>>;

/** @param row the shape of a row. */
export const createFormats = (row: Schema): ExportFormats => ({
  'application/x-ndjson': ndjson(row),
  'text/csv': csv(row),
});

function ndjson(row: Schema): ExportFormat {
  const stringify = jsonWriter(row);
  return {
    contentType: 'application/x-ndjson; charset=utf-8',
    header: '',
    write: (rows) => rows.map((each) => `${stringify(each)}\n`).join(''),
    end: (rows) => `${JSON.stringify({ complete: true, rows })}\n`,
  };
}

/**
 * CSV (RFC 4180) in UTF-8: a header row, commas, CRLF. A member of an object within a row has its own column, named with dots. Lists
 * and other JSON values are JSON text. Null is an empty field, and an empty string is `""`.
 */
function csv(row: Schema): ExportFormat {
  const columns = columnsOf(row, '');
  const cells = columns.map(({ cell }) => cell);
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    header: lineOf(columns.map(({ title }) => quoted(title))),
    write: (rows) => rows.map((each) => lineOf(cells.map((cell) => cell(each)))).join(''),
    // Only on request: most readers of CSV would take it for a row.
    end: (rows, isAsked) => (isAsked ? `# complete: rows=${rows}\r\n` : ''),
  };
}

/** Writes one field of a line. @param owner the object with the value. */
type Cell = (owner: Row | null) => string;

interface Column {
  readonly title: string;
  readonly cell: Cell;
}

const lineOf = (fields: readonly string[]) => `${fields.join(',')}\r\n`;

/** @param prefix the prefix of the titles, with its dot. */
function columnsOf({ properties = {} }: Schema, prefix: string): Column[] {
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

function writerOf(schema: Schema): (value: unknown) => string {
  const types = [schema.type ?? []].flat();
  if (types.includes('string')) return schema.format === 'date-time' ? timestamp : writeText;
  if (types.some((type) => type === 'integer' || type === 'number' || type === 'boolean')) return String;
  const stringify = jsonWriter(schema);
  return (value) => quoted(stringify(value));
}

/** Execution leaves timestamps as Date objects, for the writer to format. */
const timestamp = (value: unknown) => (value instanceof Date ? value.toISOString() : writeText(value));

const writeText = (value: unknown) => quoted(withoutFormula(String(value)));

/** Matches beginnings that spreadsheets take for a formula, also after apostrophes and in full width (OWASP, "CSV Injection"). */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Adds an apostrophe before the beginning of a formula. Readers remove one before such a beginning, and no other. */
const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Quotes a text if necessary. An empty text is quoted, since an empty field means null. */
const quoted = (text: string): string =>
  text === '' || /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
