import type { KeyObject } from 'node:crypto';

/** 32 bytes of each key. The first seals, and what was sealed with another one is recognised by trying them in turn. */
export type Secrets = readonly [KeyObject, ...KeyObject[]];
