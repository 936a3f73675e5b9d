import type { Shed } from '../../../src/http/overload.ts';

/** Nobody is turned away. */
export const shedLoad = (): Shed => () => undefined;
