import Table from 'cli-table3';
import type { Terminal } from './terminal.ts';

type Cell = string | number | Date | null;

/** A row of output, by column. */
export type OutputRow = Readonly<Record<string, Cell | readonly string[]>>;

export interface OutputOptions {
  /** Whether to write JSON, for programs. */
  readonly json?: boolean | undefined;
}

/** Writes rows as a table, with the names of their members as titles, or as one JSON list. */
export function writeRows(terminal: Terminal, rows: readonly OutputRow[], { json }: OutputOptions): void {
  if (json) {
    terminal.out(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const [first] = rows;
  if (!first) {
    terminal.out('No entries.\n');
    return;
  }
  const table = new Table({ head: Object.keys(first).map(asTitle), chars: NO_LINES, style: PLAIN });
  for (const row of rows) table.push(Object.values(row).map(asText));
  terminal.out(`${table.toString().replace(/ +$/gm, '')}\n`);
}

/** Writes a result as sentences or as JSON. */
export function writeResult(
  terminal: Terminal,
  result: object,
  sentences: readonly string[],
  { json }: OutputOptions,
): void {
  terminal.out(json ? `${JSON.stringify(result, null, 2)}\n` : `${sentences.join('\n')}\n`);
}

const asTitle = (name: string) => name.replaceAll('_', ' ').toUpperCase();

function asText(value: Cell | readonly string[]): string {
  if (value === null) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? value.join(' ') : String(value);
}

const PLAIN = { head: [], border: [], 'padding-left': 0, 'padding-right': 2, compact: true };

const NO_LINES = Object.fromEntries(Object.keys(new Table().options.chars).map((name) => [name, '']));
