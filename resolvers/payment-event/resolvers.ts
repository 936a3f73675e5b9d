import { ApiError } from '../../src/core/errors.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';
import { applyPaymentEvent, noticeOf } from './notices.ts';
import { noticeOfStripe } from './stripe.ts';

export const resolvers: Resolvers = {
  Mutation: {
    recordPaymentEvent: (_root, { input }, context) => {
      // Only the routes for signed messages set `message`.
      if (context.message?.scheme !== 'STANDARD_WEBHOOKS') throw new ApiError('invalid_signature');
      return applyPaymentEvent(context, context.message.id, noticeOf(input));
    },
    recordStripeEvent: (_root, { event }, context) => {
      if (context.message?.scheme !== 'STRIPE') throw new ApiError('invalid_signature');
      // The prefix keeps the ids of the two schemes apart.
      return applyPaymentEvent(context, `stripe:${context.message.id}`, noticeOfStripe(event));
    },
  },
};
