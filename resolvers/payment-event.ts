import { ApiError } from '../src/errors.ts';
import type { Resolvers } from '../src/generated/resolvers.ts';
import { applyPaymentEvent } from './support/payment-events.ts';

export const paymentEvent: Resolvers = {
  Mutation: {
    recordPaymentEvent: (_root, { input }, context) => {
      // Only the door of signed messages has one to give.
      if (!context.message) throw new ApiError('invalid_signature');
      return applyPaymentEvent(context, context.message.id, input);
    },
  },
};
