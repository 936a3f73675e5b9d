/** The command was called in a way that it cannot be: exit code 2. */
export class UsageError extends Error {}

/** The command cannot be done; the message says why. Exit code 1. */
export class CommandError extends Error {}
