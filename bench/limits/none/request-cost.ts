import type { RequestCost as Real } from '../../../src/pipeline/request-cost.ts';

type Public = Pick<Real, keyof Real>;

/** A request that costs nothing. */
export class RequestCost implements Public {
  readonly most = Number.POSITIVE_INFINITY;
  readonly report = undefined;
  readonly available = undefined;
  readonly actual = 0;

  request(): void {}

  take(): void {}

  pay(): void {}

  async tryToPay(): Promise<boolean> {
    return true;
  }

  spend(): void {}

  settle(): void {}

  timeUntil(): number {
    return 0;
  }
}
