import type { Spending as Real } from '../../../src/pipeline/spending.ts';

type Public = Pick<Real, keyof Real>;

/** A request that spends nothing. */
export class Spending implements Public {
  readonly most = Number.POSITIVE_INFINITY;
  readonly report = undefined;
  readonly available = undefined;

  take(): void {}

  pay(): void {}

  async tryToPay(): Promise<boolean> {
    return true;
  }

  settle(): void {}
}
