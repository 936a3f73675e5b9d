import type { OperationPrice, Pricing } from '../../../src/pipeline/price/pricing.ts';

const FREE: OperationPrice = {
  requested: () => 0,
  least: 0,
  usual: 0,
  most: Number.POSITIVE_INFINITY,
  actual: () => 0,
};

/** Prices every operation at 0 points. */
export const createPricing = (): Pricing => ({ of: () => FREE });

export const requireAllowed = (): void => {};
