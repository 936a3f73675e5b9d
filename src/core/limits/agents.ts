/** The door for agents. */
import { MINUTE } from './units.ts';

export const AGENTS = {
  /** Milliseconds for which a client may keep the list of tools. It changes with the caller's role and with a release. */
  toolListAge: 5 * MINUTE,
  /**
   * Values in a message besides the arguments of a tool. The library validates them, and lists every mistake in its response; clients
   * send fewer than fifty.
   */
  agentMessageValues: 200,
  /** Characters of the name of an unknown tool that an error repeats. */
  toolNameLength: 100,
} as const;
