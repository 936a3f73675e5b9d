import type { OperationPrice, Pricing } from '../../../src/pipeline/price/pricing.ts';

const FREE: OperationPrice = { requested: () => 0, actual: () => 0 };

/** Prices every operation at 0 points. */
export const createPricing = (): Pricing => ({ of: () => FREE });
