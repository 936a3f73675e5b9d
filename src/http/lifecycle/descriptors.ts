/** How the files that this process may open are shared: listening sockets, connections of clients, and all others. */
import { readFileSync } from 'node:fs';
import { LIMITS } from '../../core/limits.ts';

/** The number of files that this process may open. Systems other than Linux have no file that says it. */
function openFiles(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The maximum number of listening sockets of all addresses and ports together. */
export const descriptorsForListening = (files = openFiles()): number => files * LIMITS.listeningShare;

/** The maximum number of connections of clients. */
export function descriptorsForClients(files = openFiles()): number {
  const besideListening = files * (1 - LIMITS.listeningShare);
  const most = Math.min(files * (1 - LIMITS.descriptorReserve), besideListening - LIMITS.ownDescriptors);
  return Math.max(1, Math.floor(most));
}
