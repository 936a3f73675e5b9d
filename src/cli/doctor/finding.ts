import type { Config } from '../../config.ts';
import type { Environment } from '../../core/environment.ts';

/** The result of one check. */
export type Finding =
  | { readonly status: 'ok'; readonly check: string; readonly found: string }
  | {
      readonly status: 'warning' | 'problem';
      readonly check: string;
      readonly found: string;
      /** How to fix it. */
      readonly advice: string;
    };

/** The server and its environment, which the checks examine. */
export interface Subject {
  readonly config: Config;
  readonly environment: Environment;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the free bytes on the disk of a folder. */
  readonly freeBytes: (folder: string) => Promise<number>;
}

/** Checks one dependency of a server, and changes nothing. Faults that an operator can fix are findings, never rejections. */
export type Check = (subject: Subject) => Promise<Finding | readonly Finding[]>;

/** Returns constructors of findings of the check with this name. */
export const findingsOf = (check: string) => ({
  ok: (found: string): Finding => ({ status: 'ok', check, found }),
  warning: (found: string, advice: string): Finding => ({ status: 'warning', check, found, advice }),
  problem: (found: string, advice: string): Finding => ({ status: 'problem', check, found, advice }),
});
