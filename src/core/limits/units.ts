/** Bytes. */
export const KIB = 1024;

/** Milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;
