/** The rows of each table as queries return them. */

import type { CLASSIFICATIONS, SHARE_RELATIONS } from './tables/documents.ts';
import type { MAIL_KINDS } from './tables/mail.ts';
import type { ORDER_STATUSES } from './tables/orders.ts';
import type { CHARGE_STATUSES } from './tables/payments.ts';
import type { ATTEMPT_ERRORS, DELIVERY_STATUSES, DISABLING_REASONS } from './tables/webhooks.ts';
import type { Tables } from './tables.ts';

export type OrderStatus = (typeof ORDER_STATUSES)[number];

export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

export type Classification = (typeof CLASSIFICATIONS)[number];
export type ShareRelation = (typeof SHARE_RELATIONS)[number];

export type DisablingReason = (typeof DISABLING_REASONS)[number];
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

export type MailKind = (typeof MAIL_KINDS)[number];

type Row<Name extends keyof Tables> = Readonly<Tables[Name]['$inferSelect']>;

export type OrganisationRow = Row<'organisations'>;
export type UserRow = Row<'users'>;
export type ProductRow = Row<'products'>;
export type OrderRow = Row<'orders'>;
/** An order that was read for its organisation: it is not deleted. */
export type ListedOrder = Omit<OrderRow, 'org' | 'deletedAt'>;
/** Without the organisation, which is that of the order. */
export type OrderItemRow = Omit<Row<'orderItems'>, 'org'>;
export type EventRow = Row<'events'>;
export type AuditEntryRow = Row<'auditEntries'>;
export type OperationUseRow = Row<'operationUses'>;
export type DeprecatedUseRow = Row<'deprecatedUses'>;
export type SessionRow = Row<'sessions'>;
export type RefreshTokenRow = Row<'refreshTokens'>;
export type ApiKeyRow = Row<'apiKeys'>;
export type ClientCertificateRow = Row<'clientCertificates'>;
export type AppRow = Row<'apps'>;
export type AppSecretRow = Row<'appSecrets'>;
export type InstallationRow = Row<'installations'>;
export type OAuthRecordRow = Row<'oauthRecords'>;
export type GrantRow = Row<'grants'>;
export type InvitationRow = Row<'invitations'>;
export type LinkTokenRow = Row<'linkTokens'>;
export type OutboxRow = Row<'outbox'>;
export type DocumentRow = Row<'documents'>;
/** A document in a list. Its text is read separately, and only if it is selected. */
export type ListedDocument = Omit<DocumentRow, 'body'>;
export type ShareRow = Row<'shares'>;
export type ChargeRow = Row<'charges'>;
export type RefundRow = Row<'refunds'>;
export type IdempotencyRecordRow = Row<'idempotencyRecords'>;
export type WebhookRow = Row<'webhooks'>;
export type WebhookDeliveryRow = Row<'webhookDeliveries'>;
export type WebhookAttemptRow = Row<'webhookAttempts'>;
