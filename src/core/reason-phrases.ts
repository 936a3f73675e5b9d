import { STATUS_CODES } from 'node:http';

/** Reason phrases that RFC 9110 has changed (sections 15.5.14 and 15.5.21) and Node has not. */
const RENAMED: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** The reason phrase of a status. */
export const reasonPhrase = (status: number): string => RENAMED[status] ?? STATUS_CODES[status] ?? 'Unknown';
