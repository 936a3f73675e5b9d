/**
 * Where rows belong when PostgreSQL is distributed over several machines (docs/scaling.md). `test/structure/tenants.test.ts` holds keys and
 * statements to it, and the commands of the guide are written from it.
 */
import type { Tables } from './tables.ts';

/**
 * - `tenant`: rows of one organisation, which are on one machine together. Each key has `org`, and each statement compares it.
 * - `everywhere`: read with rows of any organisation, or to find out which organisation a caller belongs to. Every machine has a copy.
 * - `central`: without an organisation, or found before it is known, and never read together with rows of an organisation.
 */
export type Placement = 'tenant' | 'everywhere' | 'central';

/** Tables whose rows are not, or not only, of one organisation, and why. */
const SHARED: Readonly<Partial<Record<keyof Tables, Exclude<Placement, 'tenant'>>>> = {
  // Every row of an organisation refers to it.
  organisations: 'everywhere',
  // Found by e-mail address, which is unique across organisations. Rows of organisations refer to people.
  users: 'everywhere',
  // A caller is found by the id in its credentials, and a change asks whether they still hold.
  apiKeys: 'everywhere',
  clientCertificates: 'everywhere',
  grants: 'everywhere',
  // An app belongs to one organisation and is installed in others.
  apps: 'everywhere',
  appSecrets: 'everywhere',
  installations: 'everywhere',
  // Found by the hash of a token.
  sessions: 'central',
  refreshTokens: 'central',
  linkTokens: 'central',
  oauthRecords: 'central',
  // Found by the id in a link, before there is a member.
  invitations: 'central',
  // Mail waits in one queue, and an address need not belong to a member.
  outbox: 'central',
  // The provider numbers its messages for the whole server.
  paymentEvents: 'central',
  // A process counts for all organisations.
  countWriters: 'central',
  // The books of another company.
  sandboxPayments: 'central',
};

/** A table that nothing is said about is of organisations. */
export const placementOf = (table: keyof Tables): Placement => SHARED[table] ?? 'tenant';
