/** Links in mail lead to pages of this server. The token is in the fragment, which browsers send nowhere and no log has. */
import type { MailKind } from '../db/rows.ts';

const PAGES: Readonly<Record<MailKind, string>> = {
  password_reset: 'reset-password',
  invitation: 'invitation',
};

/** @param publicUrl where clients reach this server, without a slash at its end. */
export const linkTo = (publicUrl: string, kind: MailKind, token: string): string =>
  `${publicUrl}/${PAGES[kind]}#${token}`;
