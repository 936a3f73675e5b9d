/** The path under which clients reach this server, without a slash at its end: empty when it is the root. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');
