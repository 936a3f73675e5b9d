import { statfs } from 'node:fs/promises';
import type { Command } from 'commander';
import { environmentWith } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { examine } from './doctor/examine.ts';
import type { Finding } from './doctor/finding.ts';
import { CommandError } from './errors.ts';
import type { OutputOptions } from './output.ts';
import type { Terminal } from './terminal.ts';

/** Columns before the text: the longest status and the longest name of a check, with two spaces after each. */
const STATUS_WIDTH = 9;
const CHECK_WIDTH = 12;

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description(
      'Check the settings and everything that a server with these settings depends on. Changes nothing.',
    )
    .option('--json', 'write JSON')
    .addHelpText('after', '\nEach line is ok, a warning or a problem. With a problem the exit code is 1.')
    .action(async ({ json }: OutputOptions) => {
      const findings = await examine(terminal.environment ?? environmentWith({}), {
        now: () => systemClock().getTime(),
        freeBytes: async (folder) => {
          const { bavail, bsize } = await statfs(folder);
          return bavail * bsize;
        },
      });
      terminal.out(json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(linesOf).join(''));
      const problems = findings.filter(({ status }) => status === 'problem').length;
      if (problems > 0)
        throw new CommandError(problems === 1 ? 'There is a problem.' : `There are ${problems} problems.`);
    });
}

function linesOf(finding: Finding): string {
  const { status, check, found } = finding;
  const line = `${status.padEnd(STATUS_WIDTH)}${check.padEnd(CHECK_WIDTH)}${found}\n`;
  return 'advice' in finding
    ? `${line}${' '.repeat(STATUS_WIDTH + CHECK_WIDTH)}-> ${finding.advice}\n`
    : line;
}
