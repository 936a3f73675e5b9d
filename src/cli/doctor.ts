import { statfs } from 'node:fs/promises';
import type { Command } from 'commander';
import { ConfigError, environmentWith, loadConfig } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import type { Environment } from '../core/environment.ts';
import { checkDatabase, checkReplicas } from './doctor/database.ts';
import { checkDocuments, checkKeys } from './doctor/files.ts';
import { type Check, type Finding, findingsOf, type Subject } from './doctor/finding.ts';
import { checkMail, checkRedis } from './doctor/servers.ts';
import { checkProxy, checkSettings } from './doctor/settings.ts';
import { checkTls } from './doctor/tls.ts';
import { type OutputOptions, writeResult } from './output.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Columns before the text: the longest status and the longest name of a check, with two spaces after each. */
const STATUS_WIDTH = 9;
const CHECK_WIDTH = 12;

export function declareDoctor(command: Command, terminal: Terminal): void {
  command
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
      writeResult(terminal, findings, findings.map(linesOf), { json });
      const problems = findings.filter(({ status }) => status === 'problem').length;
      if (problems > 0)
        throw new CommandError(problems === 1 ? 'There is a problem.' : `There are ${problems} problems.`);
    });
}

function linesOf(finding: Finding): string {
  const { status, check, found } = finding;
  const line = `${status.padEnd(STATUS_WIDTH)}${check.padEnd(CHECK_WIDTH)}${found}`;
  return 'advice' in finding
    ? `${line}\n${' '.repeat(STATUS_WIDTH + CHECK_WIDTH)}-> ${finding.advice}`
    : line;
}

/** All checks, in the order in which they are shown. */
const CHECKS: readonly Check[] = [
  checkSettings,
  checkProxy,
  checkTls,
  checkKeys,
  checkDocuments,
  checkDatabase,
  checkReplicas,
  checkRedis,
  checkMail,
];

/** Runs all checks for a server with this environment. If there are invalid settings, only these are reported. */
export async function examine(
  environment: Environment,
  surroundings: Pick<Subject, 'now' | 'freeBytes'>,
): Promise<readonly Finding[]> {
  try {
    const subject = { ...surroundings, environment, config: loadConfig(environment) };
    const findings = await Promise.all(CHECKS.map((check) => check(subject)));
    return findings.flat();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problem } = findingsOf('settings');
    return error.problems.map((found) =>
      problem(found, 'Correct it: docs/configuration.md describes all settings.'),
    );
  }
}
