import { ENTRIES, engineTitle } from './contestants.ts';
import type { Estimate, PairResult, Run } from './results.ts';

const HEADINGS = ['', 'compared with', 'ratio', 'CPU µs', 'its CPU µs', 'requests/s', 'its requests/s'];

export const formatEstimate = ({ mean, error }: Estimate) => `${mean.toFixed(2)} ± ${error.toFixed(2)}`;

/** The cells of a row, in the order of {@link HEADINGS}. */
export function cellsOf(result: PairResult): string[] {
  const { caseTitle, peer, ratio, cpu, requestsPerSecond } = result;
  return [
    caseTitle,
    ENTRIES[peer].title,
    formatEstimate(ratio),
    cpu.portico.toFixed(0),
    cpu.peer.toFixed(0),
    requestsPerSecond.portico.toFixed(0),
    requestsPerSecond.peer.toFixed(0),
  ];
}

/** Formats the results for a terminal. */
export function formatRun({ results }: Run): string {
  const rows = results.map((result) => {
    const [title = '', ...cells] = cellsOf(result);
    return [`${engineTitle[result.engine]}, ${title}`, ...cells];
  });
  const widths = HEADINGS.map((_, column) =>
    Math.max(...[HEADINGS, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < 2 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  const instructions = results.flatMap(({ engine, caseTitle, peer, instructions: counted }) =>
    counted
      ? [
          `${engineTitle[engine]}, ${caseTitle}: ${thousands(counted.portico)} instructions, ${ENTRIES[peer].title} ${thousands(counted.peer)} (${(counted.peer / counted.portico).toFixed(2)}).`,
        ]
      : [],
  );
  return [line(HEADINGS), ...rows.map(line), ...instructions].join('\n');
}

const thousands = (count: number) => `${(count / 1000).toFixed(0)},000`;
