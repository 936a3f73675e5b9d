import { readdirSync, readFileSync } from 'node:fs';

/**
 * The processor time that a process has taken so far, in microseconds; undefined where it is not told. Linux counts it for each
 * thread in nanoseconds (`schedstat`, as against the hundredths of a second of `stat`), and the threads of Node stay for as long
 * as it runs.
 */
export function cpuTimeOf(processId: number | undefined): number | undefined {
  try {
    const tasks = `/proc/${processId}/task`;
    const times = readdirSync(tasks).map((task) => {
      const [running] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ');
      return Number(running) / 1000;
    });
    return times.reduce((sum, time) => sum + time, 0);
  } catch {
    return undefined;
  }
}
