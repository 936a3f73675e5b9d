import type { CaseResult, Measurement } from './rounds.ts';

/** The middle, the least and the greatest of some numbers. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Summary {
  readonly name: string;
  readonly title: string;
  readonly server: Rates;
  readonly baseline: Rates | null;
  /** Requests per second of the server as a part of the baseline's in the same round. */
  readonly ratio: Spread | null;
  /**
   * The same by processor time for each request, the baseline's as a part of the server's. It depends much less on
   * what else the machine does.
   */
  readonly cpuRatio: Spread | null;
}

/** Medians over the rounds; latencies in milliseconds, processor time for each request in microseconds. */
interface Rates {
  readonly requestsPerSecond: number;
  readonly cpu: number | null;
  readonly p50: number;
  readonly p99: number;
}

export function summarize({ name, title, server, baseline }: CaseResult): Summary {
  const pairs = server.flatMap((own, round) => {
    const other = baseline[round];
    return other ? [{ own, other }] : [];
  });
  const rates = pairs.map(({ own, other }) => own.requestsPerSecond / other.requestsPerSecond);
  const times = pairs.flatMap(({ own, other }) => (own.cpu && other.cpu ? [other.cpu / own.cpu] : []));
  return {
    name,
    title,
    server: ratesOf(server),
    baseline: baseline.length > 0 ? ratesOf(baseline) : null,
    ratio: rates.length > 0 ? spreadOf(rates) : null,
    cpuRatio: times.length > 0 ? spreadOf(times) : null,
  };
}

function ratesOf(results: readonly Measurement[]): Rates {
  const median = (read: (result: Measurement) => number) => spreadOf(results.map(read)).median;
  return {
    requestsPerSecond: median((result) => result.requestsPerSecond),
    cpu: results.every(({ cpu }) => cpu !== undefined) ? median(({ cpu }) => cpu ?? 0) : null,
    p50: median((result) => result.p50),
    p99: median((result) => result.p99),
  };
}

export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/** The mean of some numbers, two at least, and how far it is likely to be from that of very many (the standard error). */
export function meanOf(numbers: readonly number[]): { readonly mean: number; readonly error: number } {
  const count = numbers.length;
  const mean = numbers.reduce((sum, number) => sum + number, 0) / count;
  const squares = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (count - 1) / count) };
}

const HEADINGS = [
  '',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'ratio (min to max)',
  'by CPU (min to max)',
];

/**
 * The table that people read.
 *
 * @param baselineName what the server is compared with.
 */
export function formatTable(summaries: readonly Summary[], baselineName: string): string {
  const rows = summaries.flatMap(({ title, server, baseline, ratio, cpuRatio }) => [
    [title, ...ratesCells(server), ratioCell(ratio), ratioCell(cpuRatio)],
    ...(baseline ? [[`  ${baselineName}`, ...ratesCells(baseline)]] : []),
  ]);
  return formatColumns(HEADINGS, rows);
}

/** Columns as wide as what is in them, the first to the left and the others to the right. */
export function formatColumns(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((_, column) =>
    Math.max(...[headings, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line)].join('\n');
}

const ratesCells = ({ requestsPerSecond, p50, p99, cpu }: Rates): string[] => [
  requestsPerSecond.toFixed(0),
  p50.toFixed(2),
  p99.toFixed(2),
  cpu === null ? '' : cpu.toFixed(1),
];

/** `0.96 (0.93 to 0.99)` */
function ratioCell(ratio: Spread | null): string {
  if (ratio === null) return '';
  const { median, min, max } = ratio;
  return `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`;
}
