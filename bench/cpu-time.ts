import { readFileSync } from 'node:fs';

/** Linux counts processor time in these, whatever its kernel is configured to. */
const MICROSECONDS_PER_TICK = 10_000;

/** The processor time that a process has taken so far, in microseconds; undefined where it is not told. */
export function cpuTimeOf(processId: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold anything; after it come numbers (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK;
  } catch {
    return undefined;
  }
}
