import { spawnSync } from 'node:child_process';
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

/** The same of a process and its children together; what is not told counts as nothing. */
export function cpuTimeOfTree(processId: number | undefined): number {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(processId)], { encoding: 'utf8' });
  const children = [...stdout.matchAll(/\d+/g)].map(Number);
  return [processId, ...children].reduce<number>((sum, each) => sum + (cpuTimeOf(each) ?? 0), 0);
}
