import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the processor time that a process has used so far, in microseconds; undefined if the system does not report it. Linux
 * counts it per thread in nanoseconds (`schedstat`; `stat` only has hundredths of a second), and the threads of Node live as
 * long as the process.
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

/** Microseconds in a clock tick, the unit in which Linux reports the times of exited children. */
const TICK = 10_000;

/** Returns the processor time of exited children, in microseconds (`cutime` and `cstime`, proc(5)). */
function cpuTimeOfEnded(processId: number | undefined): number {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) * TICK;
  } catch {
    return 0;
  }
}

/** Returns the processor time of a process and its children, including exited ones, in microseconds. Unknown times count as 0. */
export function cpuTimeOfTree(processId: number | undefined): number {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(processId)], { encoding: 'utf8' });
  const children = [...stdout.matchAll(/\d+/g)].map(Number);
  const running = [processId, ...children].reduce<number>((sum, each) => sum + (cpuTimeOf(each) ?? 0), 0);
  return running + cpuTimeOfEnded(processId);
}
