import { requireEmailAddress } from '../../src/auth/email-addresses.ts';
import { resetPassword } from '../../src/auth/password-changes.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { insertMessage } from '../../src/db/queries/outbox.ts';
import type { Resolvers } from '../../src/generated/resolvers.ts';

export const resolvers: Resolvers = {
  Mutation: {
    requestPasswordReset: async (_root, { email }, context) => {
      const { clock, database, flow, mail } = context;
      const entered = email.trim().toLowerCase();
      const to = requireEmailAddress(entered, 'email');
      await mail.limit.enter(flow.caller);
      if (await mail.limit.mayReceive(to, 'anybody')) {
        const now = clock();
        const expiresAt = new Date(now.getTime() + LIMITS.passwordResetLifetime);
        const message = {
          kind: 'password_reset',
          email: entered,
          invitationId: null,
          now,
          expiresAt,
        } as const;
        // The account is looked up when the message is sent, so that this request takes the same time for every address.
        await database.transaction((tx) => insertMessage(tx, message));
        mail.outbox.wake();
      }
      return { email, expiresIn: LIMITS.passwordResetLifetime / 1000 };
    },
    resetPassword: async (_root, { token, password }, context) => {
      await resetPassword(context.database, context.clock, { token, password }, context);
      return true;
    },
  },
};
