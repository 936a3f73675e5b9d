/**
 * Where rows are stored when PostgreSQL is distributed over several machines (docs/scaling.md). `test/structure/tenants.test.ts` checks keys
 * and statements against it, and the commands of the guide are generated from it.
 */
import type { Tables } from './tables.ts';

/**
 * - `tenant`: rows of one organisation, which are together on one machine. Each key has `org`, and each statement compares it.
 * - `everywhere`: read together with rows of any organisation, or to find the organisation of a caller. Every machine has a copy.
 * - `central`: without an organisation, or looked up before it is known, and never read together with rows of an organisation.
 */
export type Placement = 'tenant' | 'everywhere' | 'central';

/** Tables whose rows do not belong to one organisation alone, and why. */
const SHARED: Readonly<Partial<Record<keyof Tables, Exclude<Placement, 'tenant'>>>> = {
  // Every row of an organisation references this table.
  organisations: 'everywhere',
  // Looked up by e-mail address, which is unique across organisations. Rows of organisations reference people.
  users: 'everywhere',
  // A caller is looked up by the id in its credentials, and a change checks that the credentials are still valid.
  apiKeys: 'everywhere',
  clientCertificates: 'everywhere',
  grants: 'everywhere',
  // An app belongs to one organisation and is installed in others.
  apps: 'everywhere',
  appSecrets: 'everywhere',
  installations: 'everywhere',
  // Looked up by the hash of a token.
  sessions: 'central',
  refreshTokens: 'central',
  linkTokens: 'central',
  oauthRecords: 'central',
  // Looked up by the id in a link, before the member exists.
  invitations: 'central',
  // All mail waits in one queue, and an address need not belong to a member.
  outbox: 'central',
  // The provider numbers its messages for the whole server.
  paymentEvents: 'central',
  // A process writes counts of all organisations.
  countWriters: 'central',
  // The ledger of another company.
  sandboxPayments: 'central',
};

/** The placement of a table: `tenant` unless it is listed above. */
export const placementOf = (table: keyof Tables): Placement => SHARED[table] ?? 'tenant';
