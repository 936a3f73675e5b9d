import stringWidth from 'string-width';
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
  const lines = [Object.keys(first).map(asTitle), ...rows.map((row) => Object.values(row).map(asText))];
  const widths = lines.reduce<readonly number[]>(
    (widest, line) => line.map((cell, at) => Math.max(stringWidth(cell), widest[at] ?? 0)),
    [],
  );
  const padded = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - stringWidth(cell));
  terminal.out(lines.map((line) => `${line.map(padded).join('  ').trimEnd()}\n`).join(''));
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
