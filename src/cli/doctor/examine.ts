import { ConfigError, loadConfig } from '../../config.ts';
import type { Environment } from '../../core/environment.ts';
import { checkDatabase, checkReplicas } from './database.ts';
import { checkKeys } from './files.ts';
import { type Check, type Finding, findingsOf, type Subject } from './finding.ts';
import { checkMail, checkRedis } from './servers.ts';
import { checkProxy, checkSettings } from './settings.ts';
import { checkTls } from './tls.ts';

/** All checks, in the order in which they are shown. */
const CHECKS: readonly Check[] = [
  checkSettings,
  checkProxy,
  checkTls,
  checkKeys,
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
