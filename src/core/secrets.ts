import type { KeyObject } from 'node:crypto';

/** 32 bytes of each key. The first seals; all of them open. */
export type Secrets = readonly [KeyObject, ...KeyObject[]];
