/**
 * Audit entries that are not events: the use of credentials, and writes that change nothing that clients follow. They are not in
 * the event log, so feeds, streams and webhooks do not contain them.
 */
import type { Clock } from '../core/clock.ts';
import type { Transaction } from '../db/database.ts';
import { type Origin, originFor } from '../db/origin.ts';
import { insertAuditEntry } from '../db/queries/audit-entries.ts';
import { EVENT_TYPES, type EventType, subjectTypeOf } from './catalogue.ts';
import { type EventDeclaration, id, oneOf, orNull, type PayloadOf, text } from './declare.ts';

const name = text('The name of the app.');
const client_id = text('The client id of the app at the authorization server.');

/**
 * The declarations by type. Types have the form of event types, but none of them is an event type. No member of `data` is a secret.
 */
export const AUDIT_CATALOGUE = {
  'user.signed_in': {
    description: 'A person signed in with their password.',
    data: {
      session_id: orNull(
        id('The session that was created; null in old entries of a sign-in at the authorization server.'),
      ),
    },
  },
  'user.sign_in_failed': {
    description:
      'A wrong password was given for the account of a person. Attempts from one IP address within an hour are one entry; from the tenth address on, all further addresses share one entry.',
    data: {
      at: oneOf(['sign_in', 'password_change'], 'Where the password was required.'),
    },
  },
  'user.signed_out': {
    description:
      'A person ended their session: with one of its refresh tokens, or in the browser of the session.',
    data: { session_id: id('The session that ended.') },
  },
  'user.password_reset_requested': {
    description:
      'A link to set a new password was requested for the account of a person, perhaps by someone else.',
    data: {},
  },
  'app.updated': { description: 'An app was changed.', data: { name, client_id } },
  'app.deleted': { description: 'An app was deleted.', data: { name, client_id } },
  'app.secret_created': {
    description: 'Another secret of an app was created.',
    data: { name, client_id },
  },
  'webhook.redelivered': {
    description: 'A message of a webhook was resent manually.',
    data: { delivery_id: id('The delivery that was attempted again.') },
  },
} satisfies Readonly<Record<`${string}.${string}`, Omit<EventDeclaration, 'scope'>>>;

type AuditOnlyType = keyof typeof AUDIT_CATALOGUE;

// The type of `Object.keys` does not include the names of a literal.
export const AUDIT_ONLY_TYPES = Object.keys(AUDIT_CATALOGUE) as readonly AuditOnlyType[];

/** All types by which the audit log can be filtered. */
type AuditType = EventType | AuditOnlyType;
export const AUDIT_TYPES: readonly AuditType[] = [...EVENT_TYPES, ...AUDIT_ONLY_TYPES];

const KNOWN: ReadonlySet<unknown> = new Set(AUDIT_TYPES);

export const isAuditType = (value: unknown): value is AuditType => KNOWN.has(value);

interface EntryOf<Type extends AuditOnlyType> {
  readonly org: string;
  readonly type: Type;
  /** Null if the person is unknown. */
  readonly actorId: number | null;
  readonly subjectId: number;
  readonly data: PayloadOf<(typeof AUDIT_CATALOGUE)[Type]['data']>;
}

type AuditEntryToRecord = { [Type in AuditOnlyType]: EntryOf<Type> }[AuditOnlyType];

/**
 * Adds an entry to the audit log, in the transaction of the action that it reports.
 *
 * @param origin the origin of the action, if it is not the request of the transaction.
 */
export async function recordAudit(
  tx: Transaction,
  entry: AuditEntryToRecord,
  clock: Clock,
  origin: Origin | undefined = tx.origin,
): Promise<void> {
  await insertAuditEntry(tx, {
    ...entry,
    ...originFor(entry.org, origin),
    subjectType: subjectTypeOf(entry.type),
    createdAt: clock(),
  });
}
