import type { KeyObject } from 'node:crypto';

/** Keys of 32 bytes. The first one seals, all of them open. */
export type Secrets = readonly [KeyObject, ...KeyObject[]];
