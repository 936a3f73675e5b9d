/** Links in mail, which lead to pages of this server. The token is in the fragment, which browsers do not send, so no log has it. */
import type { MailKind } from '../db/rows.ts';

const PAGES: Readonly<Record<MailKind, string>> = {
  password_reset: 'reset-password',
  invitation: 'invitation',
};

/** @param publicUrl the public URL of this server, without a trailing slash. */
export const linkTo = (publicUrl: string, kind: MailKind, token: string): string =>
  `${publicUrl}/${PAGES[kind]}#${token}`;
