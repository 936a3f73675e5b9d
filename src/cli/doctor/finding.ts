import type { Config } from '../../config.ts';
import type { Environment } from '../../core/environment.ts';

/** What one look found. */
export type Finding =
  | { readonly status: 'ok'; readonly check: string; readonly found: string }
  | {
      readonly status: 'warning' | 'problem';
      readonly check: string;
      readonly found: string;
      /** What to do about it. */
      readonly advice: string;
    };

/** What is looked at. */
export interface Subject {
  readonly config: Config;
  readonly environment: Environment;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Bytes that may still be written to the disk of a folder. */
  readonly freeBytes: (folder: string) => Promise<number>;
}

/** Looks at one part of the surroundings of a server, and changes nothing. It never rejects for what an operator can mend. */
export type Check = (subject: Subject) => Promise<readonly Finding[]>;

/** The findings about one part, under its name. */
export const findingsOf = (check: string) => ({
  ok: (found: string): Finding => ({ status: 'ok', check, found }),
  warning: (found: string, advice: string): Finding => ({ status: 'warning', check, found, advice }),
  problem: (found: string, advice: string): Finding => ({ status: 'problem', check, found, advice }),
});
