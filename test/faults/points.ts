/** Points at which a server may die while it moves money, and the options of such a server. */
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
  /** Milliseconds that its clock is ahead of the system's, so that tests do not wait for a lease to expire. */
  readonly ahead: number;
  /**
   * The maximum delay of the gateway in milliseconds, before it moves money and again before it responds;
   * none if omitted.
   */
  readonly slow?: number;
  /** Milliseconds between two sweeps of the reconciler, which is not started if omitted. */
  readonly reconcileInterval?: number;
}
