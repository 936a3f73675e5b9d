/** The arguments of the command are invalid: exit code 2. */
export class UsageError extends Error {}

/** The command failed, for the reason in the message: exit code 1. */
export class CommandError extends Error {}
