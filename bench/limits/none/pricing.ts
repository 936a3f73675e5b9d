import type { OperationPrice, Pricing } from '../../../src/pipeline/price/pricing.ts';

const FREE: OperationPrice = { requested: () => 0, actual: () => 0 };

/** Everything is free. */
export const createPricing = (): Pricing => ({ of: () => FREE });
