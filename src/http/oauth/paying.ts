/** What requests to the authorization server cost. The network of the client pays, as for a sign-in. */
import { Provider } from 'oidc-provider';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { flowOf, type Services } from '../../pipeline/context.ts';
import { rethrow } from './failures.ts';

type PayingParts = Pick<Services, 'budget' | 'clock'>;

/** Charges a request with a body of this many bytes. @throws ApiError `rate_limited`. */
export const payForRequest = (parts: PayingParts, address: string, bytes = 0): Promise<void> =>
  pay(parts, address, LIMITS.oauthRequestCost + Math.floor(bytes / LIMITS.bodyCharactersPerPoint));

/**
 * Charges the current request of oidc-provider for storing a record with this many characters, which clients can cause without
 * signing in.
 *
 * @throws OAuthFailure for `rate_limited`.
 */
export async function payForRecord(parts: PayingParts, characters: number): Promise<void> {
  // The pages of an interaction have no context. They replace its record.
  const address = Provider.ctx?.ip;
  if (address === undefined) return;
  await pay(parts, address, Math.ceil(characters / LIMITS.oauthCharactersPerPoint)).catch(rethrow);
}

async function pay({ budget, clock }: PayingParts, address: string, points: number): Promise<void> {
  const { caller } = flowOf({ principal: null, address });
  const { granted, retryAfter } = await budget.take(caller, points, clock());
  if (!granted) throw new ApiError('rate_limited', { retryAfter });
}

/**
 * Looks up a code that a person enters. A wrong one costs far more than a request, so that codes cannot be found by trying. The points are
 * taken first, and returned unless the code is wrong: otherwise a caller without points would still learn from the response which code is
 * right.
 *
 * @throws OAuthFailure for `rate_limited`.
 */
export async function payForGuess<Found>(
  { budget, clock }: PayingParts,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const { caller } = flowOf({ principal: null, address: Provider.ctx?.ip ?? '' });
  const at = clock();
  // A small budget may hold fewer points.
  const points = Math.min(LIMITS.wrongCodeCost, budget.points);
  const { granted, retryAfter, bucket } = await budget.take(caller, points, at);
  if (!granted) return rethrow(new ApiError('rate_limited', { retryAfter }));
  let isWrong = false;
  try {
    const found = await find();
    isWrong = found === undefined;
    return found;
  } finally {
    if (!isWrong) await budget.settle(caller, -points, at, bucket);
  }
}
