/** The formats of exports. Each ends with a marker that the list is complete, which a truncated export lacks. */
import { type JsonSchema, jsonWriter } from '../compile/view.ts';
import { createCsv } from './csv.ts';

type Row = Readonly<Record<string, unknown>>;

export interface ExportFormat {
  /** The Content-Type of the response. */
  readonly contentType: string;
  /** The text before the rows. */
  readonly header: string;
  write(rows: readonly Row[]): string;
  /**
   * Returns the last line, with the number of rows.
   *
   * @param isAsked whether the client requests it although it is not part of the format.
   */
  end(rows: number, isAsked: boolean): string;
}

/** The media types of exports, one for each format. */
export const EXPORT_TYPES = ['application/x-ndjson', 'text/csv'] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];

export type ExportFormats = Readonly<Record<ExportType, ExportFormat>>;

/** @param row the shape of a row. */
export const createFormats = (row: JsonSchema): ExportFormats => ({
  'application/x-ndjson': ndjson(row),
  'text/csv': csv(row),
});

function ndjson(row: JsonSchema): ExportFormat {
  const stringify = jsonWriter(row);
  return {
    contentType: 'application/x-ndjson; charset=utf-8',
    header: '',
    write: (rows) => rows.map((each) => `${stringify(each)}\n`).join(''),
    end: (rows) => `${JSON.stringify({ complete: true, rows })}\n`,
  };
}

function csv(row: JsonSchema): ExportFormat {
  const { header, write } = createCsv(row);
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    header,
    write: (rows) => rows.map(write).join(''),
    // Only on request: most readers of CSV would take it for a row.
    end: (rows, isAsked) => (isAsked ? `# complete: rows=${rows}\r\n` : ''),
  };
}
