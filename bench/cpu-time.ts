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

/** Microseconds of a clock tick, in which Linux reports the times of children that have ended. */
const TICK = 10_000;

/** The time of children that have ended, in microseconds (`cutime` and `cstime`, proc(5)). */
function cpuTimeOfEnded(processId: number | undefined): number {
  try {
    // The name of the program, in brackets, may have spaces.
    const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) * TICK;
  } catch {
    return 0;
  }
}

/** The same of a process and its children together, with those that have ended; what is not told counts as nothing. */
export function cpuTimeOfTree(processId: number | undefined): number {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(processId)], { encoding: 'utf8' });
  const children = [...stdout.matchAll(/\d+/g)].map(Number);
  const running = [processId, ...children].reduce<number>((sum, each) => sum + (cpuTimeOf(each) ?? 0), 0);
  return running + cpuTimeOfEnded(processId);
}
