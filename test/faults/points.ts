/** Where a server may die while it moves money, and what such a server receives. */
export const POINTS = [
  'before the record',
  'after the record',
  'after the gateway',
  'before the commit',
  'after the commit',
] as const;

export type Point = (typeof POINTS)[number];

export interface ChargingServerOptions {
  readonly url: string;
  readonly keysFile: string;
  readonly port: number;
  /** Milliseconds that its clock is ahead of the system's, so that no one waits for a lease to end. */
  readonly ahead: number;
  /** Milliseconds that the gateway takes at most before it moves money, and again before it answers; none when left out. */
  readonly slow?: number;
  /** Milliseconds between two looks of the reconciler, which is not started when left out. */
  readonly reconcileInterval?: number;
}
