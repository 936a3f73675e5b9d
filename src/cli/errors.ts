/** The command was called in a way that it cannot be: exit code 2. */
export class UsageError extends Error {}

/** What was asked for cannot be done, for a reason that the message tells: exit code 1. */
export class CommandError extends Error {}
