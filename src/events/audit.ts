/**
 * What the audit log has beside the events: facts about credentials, and writes that change nothing that a client could follow. They
 * are not in the event log, so that no feed, stream or webhook shows them.
 */
import type { Clock } from '../core/clock.ts';
import type { Transaction } from '../db/database.ts';
import { type Origin, originFor } from '../db/origin.ts';
import { insertAuditEntry } from '../db/queries/audit-entries.ts';
import { EVENT_TYPES, type EventType, subjectTypeOf } from './catalogue.ts';
import { id, type Members, oneOf, orNull, type PayloadOf, text } from './declare.ts';

export interface AuditDeclaration {
  /** When it is recorded, as a sentence. */
  readonly description: string;
  /** The members of its `data`. None is a secret. */
  readonly data: Members;
}

const declareAudit = <const Entries extends Readonly<Record<`${string}.${string}`, AuditDeclaration>>>(
  entries: Entries,
): Entries => entries;

const name = text('The name of the app.');
const client_id = text('What the app calls itself at the authorization server.');

/** Types have the form of event types, and none is an event type. */
export const AUDIT_CATALOGUE = declareAudit({
  'user.signed_in': {
    description: 'A person signed in with their password.',
    data: {
      session_id: orNull(
        id('The session that began; null at the authorization server, where a browser gets a cookie.'),
      ),
    },
  },
  'user.sign_in_failed': {
    description:
      'A wrong password was given for the address of a person. Those of one hour from one address are one entry, and from the tenth address on those of all others are one as well.',
    data: {
      at: oneOf(['sign_in', 'password_change'], 'Where the password was asked for.'),
    },
  },
  'user.signed_out': {
    description: 'A person ended their session with one of its refresh tokens.',
    data: { session_id: id('The session that ended.') },
  },
  'user.password_reset_requested': {
    description:
      'A link to set a new password was made for the address of a person, who may not be who requested it.',
    data: {},
  },
  'app.updated': { description: 'An app was changed.', data: { name, client_id } },
  'app.deleted': { description: 'An app was deleted.', data: { name, client_id } },
  'app.secret_created': {
    description: 'A further secret of an app was made.',
    data: { name, client_id },
  },
  'webhook.redelivered': {
    description: 'A message of a webhook was sent again by hand.',
    data: { delivery_id: id('The delivery that was attempted again.') },
  },
});

export type AuditOnlyType = keyof typeof AUDIT_CATALOGUE;

// `Object.keys` knows nothing of the names that a literal has.
export const AUDIT_ONLY_TYPES = Object.keys(AUDIT_CATALOGUE) as readonly AuditOnlyType[];

/** Everything that the audit log can be filtered by. */
export type AuditType = EventType | AuditOnlyType;
export const AUDIT_TYPES: readonly AuditType[] = [...EVENT_TYPES, ...AUDIT_ONLY_TYPES];

const KNOWN: ReadonlySet<unknown> = new Set(AUDIT_TYPES);

export const isAuditType = (value: unknown): value is AuditType => KNOWN.has(value);

interface EntryOf<Type extends AuditOnlyType> {
  readonly org: string;
  readonly type: Type;
  /** Null where it is not known who it was. */
  readonly actorId: number | null;
  readonly subjectId: number;
  readonly data: PayloadOf<(typeof AUDIT_CATALOGUE)[Type]['data']>;
}

export type AuditEntryToRecord = { [Type in AuditOnlyType]: EntryOf<Type> }[AuditOnlyType];

/**
 * Adds an entry to the audit log, in the transaction of what it reports.
 *
 * @param origin where it comes from, when that is not the request of the transaction.
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
