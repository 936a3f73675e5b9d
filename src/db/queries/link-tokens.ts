/** The tokens of links in mail. Each can be used once. */
import type { Runner } from '../database.ts';
import { and, eq, gt, isNull } from '../drizzle/index.ts';
import { oneText } from '../literals.ts';
import { read, write } from '../query.ts';
import type { LinkTokenRow, UserRow } from '../rows.ts';
import { equal, given } from '../statement.ts';
import { purgeByTime } from './shared/purging.ts';

type NewLinkToken = Omit<LinkTokenRow, 'id' | 'usedAt'>;

export const insertLinkToken = write.run<NewLinkToken>(
  'linkTokens.insert',
  ({ orm, tables: { linkTokens } }, p) =>
    orm
      .insert(linkTokens)
      .values(given(p, 'kind', 'org', 'userId', 'invitationId', 'tokenHash', 'createdAt', 'expiresAt')),
);

/** The token of a link for setting a password, and its user. */
interface PasswordReset {
  readonly token: LinkTokenRow;
  readonly person: UserRow;
}

/** The password reset of a token. Undefined if the token was used or has expired, or its user was removed. */
export const findPasswordReset = read.first<{ tokenHash: string; now: Date }, PasswordReset>(
  'linkTokens.passwordReset',
  ({ orm, tables: { linkTokens, users } }, p) =>
    orm
      .select({ token: linkTokens, person: users })
      .from(linkTokens)
      .innerJoin(
        users,
        and(eq(users.id, linkTokens.userId), eq(users.org, linkTokens.org), isNull(users.removedAt)),
      )
      .where(
        and(
          eq(linkTokens.tokenHash, p.tokenHash),
          eq(linkTokens.kind, oneText('password_reset')),
          isNull(linkTokens.usedAt),
          gt(linkTokens.expiresAt, p.now),
        ),
      ),
);

const ofInvitation = read.first<{ tokenHash: string; now: Date }, { id: number | null }>(
  'linkTokens.invitation',
  ({ orm, tables: { linkTokens } }, p) =>
    orm
      .select({ id: linkTokens.invitationId })
      .from(linkTokens)
      .where(
        and(
          eq(linkTokens.tokenHash, p.tokenHash),
          eq(linkTokens.kind, oneText('invitation')),
          gt(linkTokens.expiresAt, p.now),
        ),
      ),
);

/**
 * Marks all links for setting a user's password as used. The transaction first takes the lock of the
 * organisation, before it locks rows.
 *
 * @returns the links that were unused. Only one of several concurrent callers gets each of them.
 */
export const useLinksOfUser = write.all<{ org: string; userId: number; now: Date }, { id: number }>(
  'linkTokens.useOfUser',
  ({ orm, tables: { linkTokens }, dialect }, p) =>
    orm
      .update(linkTokens)
      .set({ usedAt: p.now })
      .where(and(dialect.orgLock(p.org), equal(linkTokens, p, 'org', 'userId'), isNull(linkTokens.usedAt)))
      .returning({ id: linkTokens.id }),
);

/** The id of the invitation of a token. The caller must check whether the invitation is open. */
export async function findInvitationOfLink(
  db: Runner,
  tokenHash: string,
  now: Date,
): Promise<number | undefined> {
  return (await ofInvitation(db, { tokenHash, now }))?.id ?? undefined;
}

/** Deletes up to `limit` links that expired before a time. Returns their number. */
export const purgeLinkTokens = purgeByTime('linkTokens.purge', 'linkTokens', ({ expiresAt }) => expiresAt);
