import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { ActivityNode, ActorNode, SubjectNode } from '../../resolvers/activity/nodes.ts';
import type { ApiKeyNode } from '../../resolvers/api-key/resolvers.ts';
import type { AppNode } from '../../resolvers/app/resolvers.ts';
import type { AuditEntryNode } from '../../resolvers/audit-log/resolvers.ts';
import type { ChargeNode, RefundNode, IdempotencyRecordNode } from '../../resolvers/charge/resolvers.ts';
import type { ClientCertificateNode } from '../../resolvers/client-certificate/resolvers.ts';
import type { DocumentNode, ShareNode } from '../../resolvers/document/nodes.ts';
import type { GrantNode } from '../../resolvers/grant/resolvers.ts';
import type { InstallationNode } from '../../resolvers/installation/resolvers.ts';
import type { InvitationNode } from '../../resolvers/invitation/resolvers.ts';
import type { OrderNode, ItemNode } from '../../resolvers/order/nodes.ts';
import type { PaymentEventReceiptNode } from '../../resolvers/payment-event/notices.ts';
import type { ProductNode } from '../../resolvers/product/resolvers.ts';
import type { ActiveSessionNode } from '../../resolvers/session/resolvers.ts';
import type { OperationUseNode, DeprecatedUseNode } from '../../resolvers/usage/resolvers.ts';
import type { UserNode } from '../../resolvers/user/resolvers.ts';
import type { WebhookNode, WebhookDeliveryNode, WebhookAttemptNode } from '../../resolvers/webhook/nodes.ts';
import type { Context } from '../../resolvers/shared/context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: number | string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An RFC 3339 timestamp in UTC with milliseconds: `2026-01-31T09:30:00.000Z`. */
  DateTime: { input: Date; output: Date; }
  /** An exact decimal number such as `19.99`, never rounded. */
  Decimal: { input: string; output: number; }
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown; }
};

/** The person who caused an event, as visible to everyone who can see the event. */
export type Actor = {
  /** Identifier of the person. */
  readonly id: Scalars['ID']['output'];
  /** The display name. */
  readonly name: Scalars['String']['output'];
};

/** An event: one line of the organisation's log. */
export type Activity = Node & {
  /** Identifier. Later events have greater ones. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** The event type, as subject and past participle: `document.created`. */
  readonly type: Scalars['String']['output'];
  /**
   * The position of this event in the log. `activity(after:)`, `orderChanged(after:)` and Last-Event-ID continue from it with later events
   * and any filter, `history(after:)` with earlier ones. The feed continues from `endCursor`.
   */
  readonly cursor: Scalars['String']['output'];
  /** Identifier of the actor; null for the server itself. */
  readonly actorId?: Maybe<Scalars['ID']['output']>;
  /** The actor; null for the server itself. */
  readonly actor?: Maybe<Actor>;
  /** The kind of the subject, such as `document`. */
  readonly subjectType: Scalars['String']['output'];
  /** Identifier of the subject, within its kind. */
  readonly subjectId: Scalars['ID']['output'];
  /** Type and identifier of the subject as one object. */
  readonly subject: Subject;
  /** Details of the event, by type. Member names are snake_case, as in REST. */
  readonly data: Scalars['JSON']['output'];
  /** When it happened. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The deliveries of this event to webhooks that exist, by webhook. */
  readonly deliveries: ReadonlyArray<WebhookDelivery>;
};

/**
 * The subject of an event. Each kind has a type of its own, such as `OrderSubject`: the type's name and the id together
 * identify a subject, as they identify every other object.
 */
export type Subject = {
  /** The kind, such as `document`. */
  readonly type: Scalars['String']['output'];
  /** Identifier within its kind. */
  readonly id: Scalars['ID']['output'];
};

/** A page of events, newest first. */
export type ActivityPage = {
  /** The events of this page. */
  readonly nodes: ReadonlyArray<Activity>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<ActivityEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /**
   * The position up to which this page was searched, usually that of its last event; pass it as `after` to continue. Null
   * when there was nothing to search.
   */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /**
   * Whether there are more pages. A page may be short or empty although this is true, because it searched
   * 1,000 events, most of them hidden from the caller: continue from its cursor.
   */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** Reads. Fields of `Query` change nothing. */
export type Query = {
  /** One event of your organisation; null when it has expired, or is not for you to see. */
  readonly event?: Maybe<Activity>;
  /** The events of your organisation that you may see, newest first. */
  readonly feed: ActivityPage;
  /** One API key of your organisation, including revoked and expired ones. */
  readonly apiKey?: Maybe<ApiKey>;
  /** The API keys of your organisation. */
  readonly apiKeys: ApiKeyPage;
  /** One app of your organisation. */
  readonly app?: Maybe<App>;
  /** The apps of your organisation, at most 100. */
  readonly apps: AppPage;
  /**
   * Who did what in your organisation, by which credentials and from where, newest first. It has every event, whatever scope that would
   * take in the feed, and sign-ins, wrong passwords and what else changes no data. It goes back as far as events are kept.
   */
  readonly auditLog: AuditEntryConnection;
  /**
   * The object with a `nodeId`: what the field of its own type gives for its `id`, for callers who may select that field. Null for a
   * text that is no such identifier.
   */
  readonly node?: Maybe<Node>;
  /** One charge of your organisation. */
  readonly charge?: Maybe<Charge>;
  /** The charges of your organisation, newest first. */
  readonly charges: ChargePage;
  /** One client certificate of your organisation, including revoked and expired ones. */
  readonly clientCertificate?: Maybe<ClientCertificate>;
  /** The client certificates of your organisation. */
  readonly clientCertificates: ClientCertificatePage;
  /** One document of your organisation. */
  readonly document?: Maybe<Document>;
  /** The documents of your organisation that you may read: oldest first, or with `q` the best match first. */
  readonly documents: DocumentPage;
  /** The share of one person, for callers who may change the document. */
  readonly share?: Maybe<Share>;
  /** The consents that you gave to apps and that still hold. */
  readonly grants: GrantPage;
  /** One installation in your organisation. */
  readonly installation?: Maybe<Installation>;
  /** The apps that are installed in your organisation, at most 200. */
  readonly installations: InstallationPage;
  /** The invitations of your organisation, in any state. */
  readonly invitations: InvitationPage;
  /** The invitation that a link leads to. A link that is unknown, used, revoked or expired is `not_found`. */
  readonly receivedInvitation: ReceivedInvitation;
  /** The active people of your organisation. */
  readonly members: UserPage;
  /** One order of your organisation. */
  readonly order?: Maybe<Order>;
  /**
   * The orders of one person, page by page. A page past the end is empty. One that begins after more than 10,000 orders is
   * refused with `page_too_deep`: filter by status, or sort the other way round.
   */
  readonly orders: OrderPage;
  /** The orders of your organisation by cursor. All filters may be combined. */
  readonly organisationOrders: OrderConnection;
  /** One product of your organisation. */
  readonly product?: Maybe<Product>;
  /** The products of your organisation that can be ordered, or those that were archived: oldest first, or with `q` the best match first. */
  readonly products: ProductPage;
  /**
   * Sessions that have not ended: the caller's own, or for administrators with `write:users` those of another person or of
   * the organisation.
   */
  readonly sessions: ActiveSessionPage;
  /**
   * How often your organisation used each operation on each day, and what that cost. It is some seconds behind, and goes back as far as events
   * are kept.
   */
  readonly operationUses: OperationUseConnection;
  /**
   * Who in your organisation used what is deprecated, on each day: what to change before it ends. It is some seconds behind, and goes back as far
   * as events are kept.
   */
  readonly deprecatedUses: DeprecatedUseConnection;
  /** The caller. */
  readonly me?: Maybe<User>;
  /** One person of your organisation. */
  readonly user?: Maybe<User>;
  /** One webhook of your organisation. */
  readonly webhook?: Maybe<Webhook>;
  /** The webhooks of your organisation, at most 20. */
  readonly webhooks: WebhookPage;
  /** Deliveries of a webhook, newest first, including pending ones. */
  readonly webhookDeliveries?: Maybe<WebhookDeliveryPage>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryEventArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryFeedArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  types?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryApiKeyArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryApiKeysArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryAppArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryAppsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryAuditLogArgs = {
  actorId?: InputMaybe<Scalars['ID']['input']>;
  types?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  createdAfter?: InputMaybe<Scalars['DateTime']['input']>;
  createdBefore?: InputMaybe<Scalars['DateTime']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryChargeArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryChargesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryClientCertificateArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryClientCertificatesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryDocumentArgs = {
  org: Scalars['String']['input'];
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryDocumentsArgs = {
  org: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  classification?: InputMaybe<Classification>;
  q?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryShareArgs = {
  org: Scalars['String']['input'];
  documentId: Scalars['ID']['input'];
  userId: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryGrantsArgs = {
  all?: InputMaybe<Scalars['Boolean']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryInstallationArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryInstallationsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryInvitationsArgs = {
  org: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryReceivedInvitationArgs = {
  token: Scalars['String']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryMembersArgs = {
  org: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryOrderArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryOrdersArgs = {
  userId: Scalars['ID']['input'];
  status?: InputMaybe<OrderStatus>;
  sort?: InputMaybe<OrderSort>;
  page?: InputMaybe<Scalars['Int']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryOrganisationOrdersArgs = {
  status?: InputMaybe<ReadonlyArray<OrderStatus>>;
  userId?: InputMaybe<Scalars['ID']['input']>;
  productId?: InputMaybe<Scalars['ID']['input']>;
  currency?: InputMaybe<Scalars['String']['input']>;
  createdAfter?: InputMaybe<Scalars['DateTime']['input']>;
  createdBefore?: InputMaybe<Scalars['DateTime']['input']>;
  minTotal?: InputMaybe<Scalars['Decimal']['input']>;
  maxTotal?: InputMaybe<Scalars['Decimal']['input']>;
  sort?: InputMaybe<OrganisationOrderSort>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryProductArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryProductsArgs = {
  archived?: InputMaybe<Scalars['Boolean']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  q?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QuerySessionsArgs = {
  userId?: InputMaybe<Scalars['ID']['input']>;
  all?: InputMaybe<Scalars['Boolean']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryOperationUsesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryDeprecatedUsesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryWebhooksArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryWebhookDeliveriesArgs = {
  webhookId: Scalars['ID']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};

/** An order of a person. */
export type Order = Node & {
  /** The events of the order that you may see, newest first. */
  readonly history: ActivityPage;
  /** Charges for this order, newest first. */
  readonly charges: ReadonlyArray<Charge>;
  /**
   * True when successful charges, less what was refunded of them, reach the order total. Of an order with more than 100 of
   * them, the 100 largest count.
   */
  readonly paid: Scalars['Boolean']['output'];
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** Identifier of the person who ordered. */
  readonly userId: Scalars['ID']['output'];
  /** The person who ordered. */
  readonly user: User;
  /** The state of the order. */
  readonly status: OrderStatus;
  /** The sum over all items of price times quantity, in the currency's usual unit. */
  readonly total: Scalars['Float']['output'];
  /** The currency of all amounts of this order (ISO 4217). */
  readonly currency: Scalars['String']['output'];
  /** The items. By default all of them, at most 100; the two arguments exclude each other. */
  readonly items: ReadonlyArray<Item>;
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When the order was placed. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the order was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};


/** An order of a person. */
export type OrderHistoryArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** An order of a person. */
export type OrderChargesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** An order of a person. */
export type OrderItemsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A charge of a payment source. */
export type Charge = Node & {
  /** The events of the charge that you may see, newest first. */
  readonly history: ActivityPage;
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** The amount. */
  readonly amount: Money;
  /**
   * The amount in the smallest unit of the currency: 1999 for 19.99 USD.
   * @deprecated It has no currency. Use `amount`.
   */
  readonly minorAmount: Scalars['Int']['output'];
  /** The currency code (ISO 4217). */
  readonly currency: Scalars['String']['output'];
  /** The state of the charge. */
  readonly status: ChargeStatus;
  /** What was refunded so far: a part of `amount`, or all of it. */
  readonly amountRefunded: Money;
  /** The refunds, newest first. */
  readonly refunds: ReadonlyArray<Refund>;
  /** The payment source, masked. */
  readonly source: Scalars['String']['output'];
  /** Why the charge failed: the gateway's code, or `not_made` if the gateway never received it; null unless it failed. */
  readonly failureCode?: Maybe<Scalars['String']['output']>;
  /** Identifier of the order; null for none. */
  readonly orderId?: Maybe<Scalars['ID']['output']>;
  /** The order; null for none and for a deleted one. */
  readonly order?: Maybe<Order>;
  /** Identifier of the person who created the charge. */
  readonly userId: Scalars['ID']['output'];
  /** The person or app who created the charge. */
  readonly creator?: Maybe<Actor>;
  /** The idempotency record of the request that made the charge, until it expires. */
  readonly idempotency: ReadonlyArray<IdempotencyRecord>;
  /** Incremented by each change. */
  readonly version: Scalars['Int']['output'];
  /** When the charge was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the charge was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};


/** A charge of a payment source. */
export type ChargeHistoryArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** A charge of a payment source. */
export type ChargeRefundsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** A charge of a payment source. */
export type ChargeIdempotencyArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};

/** Changes. Fields of `Mutation` run one after the other. */
export type Mutation = {
  /**
   * Marks events as read for the caller. It never moves back: an older event than the last one
   * marked changes nothing.
   */
  readonly markFeedRead: User;
  /** Creates an API key that acts for you. An app cannot create API keys. */
  readonly createApiKey: CreatedApiKey;
  /** Revokes an API key at once. Repeating it changes nothing. Gives the key's id. */
  readonly revokeApiKey: Scalars['ID']['output'];
  /** Creates an app, and installs it in your organisation with the lowest role that gives its scopes. An app cannot create apps. */
  readonly createApp: CreatedApp;
  /** Changes an app. */
  readonly updateApp: App;
  /**
   * Deletes an app, and uninstalls it everywhere: its tokens are void within a second. Repeating it changes nothing. Gives the
   * app's id.
   */
  readonly deleteApp: Scalars['ID']['output'];
  /**
   * Creates a further secret of an app. The secret before it stays valid, so that the app can be updated. Earlier ones end at once,
   * and so do the tokens that the app got with them for itself.
   */
  readonly createAppSecret: CreatedAppSecret;
  /**
   * Charges a payment source, once for each idempotency key. `card_declined` is final, and leaves a failed charge. After
   * `payment_gateway_failed` and `payment_gateway_unavailable`, retry the same request with the same key.
   */
  readonly createCharge: Charge;
  /**
   * Refunds a charge, as a whole or in parts. Refunds together never exceed the charge: one that would is refused with
   * `invalid_transition`. After `payment_gateway_unavailable`, retry the same request with the same key.
   */
  readonly refundCharge: Charge;
  /** Registers a client certificate that acts for you. An app cannot register certificates. */
  readonly createClientCertificate: ClientCertificate;
  /** Revokes a client certificate at once. Repeating it changes nothing. Gives the certificate's id. */
  readonly revokeClientCertificate: Scalars['ID']['output'];
  /** Creates a document. */
  readonly createDocument: Document;
  /**
   * Changes a document. Requires `write:docs`, or a share as writer and a full sign-in: an API key or
   * a token with narrowed scopes does not use the share.
   */
  readonly updateDocument: Document;
  /** Deletes a document. Repeating it changes nothing. Returns the document's id. */
  readonly deleteDocument: Scalars['ID']['output'];
  /**
   * Shares a document with a person, or changes the relation of an existing share. Requires `write:docs`, and a document that
   * the caller may change without a share.
   */
  readonly createShare: Share;
  /**
   * Removes the share of a person. Requires the right to change the document. Repeating it changes nothing. Returns
   * the person's id.
   */
  readonly deleteShare: Scalars['ID']['output'];
  /**
   * Revokes a grant: the app's tokens for the person are void within a second. People revoke their own with a full sign-in;
   * admins with `manage:apps` revoke any. Repeating it changes nothing. Gives the grant's id.
   */
  readonly revokeGrant: Scalars['ID']['output'];
  /** Installs an app in your organisation. One that is installed is a `conflict`. An app cannot install apps. */
  readonly createInstallation: Installation;
  /**
   * Uninstalls an app: its tokens and all grants to it in your organisation are void within a second. Repeating it changes nothing.
   * Gives the installation's id.
   */
  readonly deleteInstallation: Scalars['ID']['output'];
  /**
   * Invites a person by mail. The link works once, for 7 days, as long as the administrator who invited is one. The response does not
   * depend on whether the address has an account in another organisation. An address that belongs to the organisation, or has an open
   * invitation, is a `conflict`. At most 5 messages an hour are sent to an address.
   */
  readonly createInvitation: Invitation;
  /** Revokes an invitation. Repeating it changes nothing. An accepted one is a `conflict`. Gives the invitation's id. */
  readonly revokeInvitation: Scalars['ID']['output'];
  /** Accepts an invitation with the token of its link, and makes the account. It is a `conflict` when the address has an account. */
  readonly acceptInvitation: User;
  /** Creates an account. An address that is taken is a `conflict`. */
  readonly createMember: User;
  /**
   * Changes the role of a person. It ends the person's sessions: the next refresh is refused, and access tokens
   * are limited to the new role within a second. Demoting the last administrator is a `conflict`.
   */
  readonly updateMember: User;
  /**
   * Removes a person from the organisation, and ends their sessions. The events of the person keep the name; the rest of
   * the account is erased. Removing the last administrator is a `conflict`. Repeating it changes
   * nothing. Returns the person's id.
   */
  readonly deleteMember: Scalars['ID']['output'];
  /** Creates a pending order at current prices. */
  readonly createOrder: Order;
  /** Changes a pending order: cancels it, ships it, or replaces its items. */
  readonly updateOrder: Order;
  /** Deletes an order in any state. Repeating it changes nothing. Returns the order's id. */
  readonly deleteOrder: Scalars['ID']['output'];
  /**
   * Sends a link to set a new password to an address, if it has an account. The response and its time do not depend on that. The link
   * works once, for an hour. At most 5 messages an hour are sent to an address.
   */
  readonly requestPasswordReset: PasswordResetRequest;
  /** Sets a new password with the token of a link, and ends all sessions of the person. */
  readonly resetPassword: Scalars['Boolean']['output'];
  /**
   * Applies a payment provider's message about a charge. Messages are signed by the provider and sent over HTTP; they are
   * refused everywhere else.
   */
  readonly recordPaymentEvent: PaymentEventReceipt;
  /**
   * Applies an event of Stripe about a charge. Stripe sends and signs events over HTTP; they are refused everywhere else. Events of
   * payments, charges and refunds count, and others change nothing.
   */
  readonly recordStripeEvent: PaymentEventReceipt;
  /** Adds a product. */
  readonly createProduct: Product;
  /** Changes name or price of a product. */
  readonly updateProduct: Product;
  /**
   * Archives a product: it can no longer be ordered, and is listed with `archived` alone. Orders keep it. Repeating it
   * changes nothing.
   */
  readonly archiveProduct: Product;
  /**
   * Ends a session: the next refresh is refused, and its access tokens are refused within a second. People end their own with a sign-in
   * that was not narrowed; administrators with `write:users` end any. Repeating it changes nothing. Gives the session's id.
   */
  readonly endSession: Scalars['ID']['output'];
  /** Signs in with an email address and a password. An unknown address and a wrong password get the same response. */
  readonly login?: Maybe<Session>;
  /**
   * Exchanges a refresh token for the next pair. Each refresh token is valid once; reuse ends
   * the whole session, since the token may have leaked.
   */
  readonly refreshSession: Session;
  /** Ends the session of a refresh token. Its access tokens are refused within a second. */
  readonly logout: Scalars['Boolean']['output'];
  /** Changes a person's account. People change their own; admins with `write:users` change any. */
  readonly updateUser: User;
  /**
   * Changes the caller's own password, and ends their other sessions. It requires a sign-in that was not narrowed. Wrong current
   * passwords count as those of sign-ins do. A new password must not be among the 10,000 most used ones, nor contain the email address
   * or the name of the person.
   */
  readonly changePassword: Scalars['Boolean']['output'];
  /** Creates a webhook. It receives events from now on, those that an administrator may see. */
  readonly createWebhook: CreatedWebhook;
  /** Changes a webhook. */
  readonly updateWebhook: Webhook;
  /** Deletes a webhook and stops its messages. Repeating it changes nothing. Returns the webhook's id. */
  readonly deleteWebhook: Scalars['ID']['output'];
  /**
   * Replaces the secret of a webhook. For a day its messages have two signatures, one by the new secret and one by the secret
   * that it replaces, so that receivers can be updated.
   */
  readonly createWebhookSecret: CreatedWebhookSecret;
  /**
   * Sends a message again now, with the same `webhook-id`. A scheduled attempt is made now instead; after the
   * last one this is a single further one.
   */
  readonly createWebhookAttempt: WebhookAttempt;
  /**
   * Sends a test to one webhook, whatever types it receives: an event `webhook.tested`, signed and retried like every other. Returns the
   * event.
   */
  readonly createWebhookTest: Activity;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationMarkFeedReadArgs = {
  eventId?: InputMaybe<Scalars['ID']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateApiKeyArgs = {
  input: CreateApiKeyInput;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRevokeApiKeyArgs = {
  id: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateAppArgs = {
  input: CreateAppInput;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationUpdateAppArgs = {
  id: Scalars['ID']['input'];
  input: UpdateAppInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationDeleteAppArgs = {
  id: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateAppSecretArgs = {
  appId: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateChargeArgs = {
  input: CreateChargeInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRefundChargeArgs = {
  id: Scalars['ID']['input'];
  amount?: InputMaybe<MoneyInput>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateClientCertificateArgs = {
  input: CreateClientCertificateInput;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRevokeClientCertificateArgs = {
  id: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateDocumentArgs = {
  org: Scalars['String']['input'];
  input: CreateDocumentInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationUpdateDocumentArgs = {
  org: Scalars['String']['input'];
  id: Scalars['ID']['input'];
  input: UpdateDocumentInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationDeleteDocumentArgs = {
  org: Scalars['String']['input'];
  id: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateShareArgs = {
  org: Scalars['String']['input'];
  documentId: Scalars['ID']['input'];
  input: CreateShareInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationDeleteShareArgs = {
  org: Scalars['String']['input'];
  documentId: Scalars['ID']['input'];
  userId: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRevokeGrantArgs = {
  id: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateInstallationArgs = {
  input: CreateInstallationInput;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationDeleteInstallationArgs = {
  id: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateInvitationArgs = {
  org: Scalars['String']['input'];
  input: CreateInvitationInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRevokeInvitationArgs = {
  org: Scalars['String']['input'];
  id: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationAcceptInvitationArgs = {
  token: Scalars['String']['input'];
  name: Scalars['String']['input'];
  password: Scalars['String']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateMemberArgs = {
  org: Scalars['String']['input'];
  input: CreateMemberInput;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationUpdateMemberArgs = {
  org: Scalars['String']['input'];
  userId: Scalars['ID']['input'];
  input: UpdateMemberInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationDeleteMemberArgs = {
  org: Scalars['String']['input'];
  userId: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateOrderArgs = {
  input: CreateOrderInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationUpdateOrderArgs = {
  id: Scalars['ID']['input'];
  input: UpdateOrderInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationDeleteOrderArgs = {
  id: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRequestPasswordResetArgs = {
  email: Scalars['String']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationResetPasswordArgs = {
  token: Scalars['String']['input'];
  password: Scalars['String']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRecordPaymentEventArgs = {
  input: PaymentEventInput;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRecordStripeEventArgs = {
  event: Scalars['JSON']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateProductArgs = {
  input: CreateProductInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationUpdateProductArgs = {
  id: Scalars['ID']['input'];
  input: UpdateProductInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationArchiveProductArgs = {
  id: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationEndSessionArgs = {
  id: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationLoginArgs = {
  email: Scalars['String']['input'];
  password: Scalars['String']['input'];
  scopes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  deviceToken?: InputMaybe<Scalars['String']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRefreshSessionArgs = {
  refreshToken: Scalars['String']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationLogoutArgs = {
  refreshToken: Scalars['String']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationUpdateUserArgs = {
  id: Scalars['ID']['input'];
  input: UpdateUserInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationChangePasswordArgs = {
  userId: Scalars['ID']['input'];
  currentPassword: Scalars['String']['input'];
  newPassword: Scalars['String']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateWebhookArgs = {
  input: CreateWebhookInput;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationUpdateWebhookArgs = {
  id: Scalars['ID']['input'];
  input: UpdateWebhookInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationDeleteWebhookArgs = {
  id: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateWebhookSecretArgs = {
  webhookId: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateWebhookAttemptArgs = {
  webhookId: Scalars['ID']['input'];
  deliveryId: Scalars['ID']['input'];
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationCreateWebhookTestArgs = {
  webhookId: Scalars['ID']['input'];
};

/** Live events, over WebSocket or server-sent events. Each result has its cursor in `extensions.cursor`. */
export type Subscription = {
  /**
   * The events of your organisation from now on, oldest first, that you may see when they are sent. With `after`, replays
   * events after the cursor, then streams live, without a gap.
   */
  readonly activity: Activity;
  /** The order after each change; null when it was deleted. */
  readonly orderChanged?: Maybe<Order>;
};


/** Live events, over WebSocket or server-sent events. Each result has its cursor in `extensions.cursor`. */
export type SubscriptionActivityArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  types?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** Live events, over WebSocket or server-sent events. Each result has its cursor in `extensions.cursor`. */
export type SubscriptionOrderChangedArgs = {
  id: Scalars['ID']['input'];
  after?: InputMaybe<Scalars['String']['input']>;
};

/** A credential for a machine. It acts for the person who created it, with at most that person's current rights. */
export type ApiKey = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** The purpose, as given by its creator. */
  readonly name: Scalars['String']['output'];
  /** The first characters, to recognise the key. The rest is shown once and not stored. */
  readonly prefix: Scalars['String']['output'];
  /** Granted scopes. Those that the owner's role lacks have no effect. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** Identifier of the owner. */
  readonly ownerId: Scalars['ID']['output'];
  /** The owner. */
  readonly owner: User;
  /** When it was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it expires; null for never. */
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it was last used, to the minute; null before the first use. */
  readonly lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it was revoked; null while it is valid. */
  readonly revokedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** A page of API keys, oldest first. */
export type ApiKeyPage = {
  /** The keys of this page, including revoked and expired ones. */
  readonly nodes: ReadonlyArray<ApiKey>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<ApiKeyEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last key of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A new API key, with its secret, which no later response contains. */
export type CreatedApiKey = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The purpose. */
  readonly name: Scalars['String']['output'];
  /** The key. Store it now: it is shown once. Send it as `Authorization: ApiKey <key>`. */
  readonly key: Scalars['String']['output'];
  /** Granted scopes. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** When it expires; null for never. */
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
};

/** A new API key. */
export type CreateApiKeyInput = {
  /** The purpose, to recognise the key in a list. */
  readonly name: Scalars['String']['input'];
  /** Scopes to grant: at least one, and only scopes that your own credentials carry. */
  readonly scopes: ReadonlyArray<Scalars['String']['input']>;
  /** When it expires, in the future. Without it the key is valid until it is revoked. */
  readonly expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
};

/** How an app is built, and so what it can keep secret. */
export type AppType =
  /** Runs on a server that people use in a browser. It has a secret. */
  | 'web'
  /** Runs on devices of people. It has no secret, and proves itself by PKCE. */
  | 'native'
  /** Runs on a server and acts for itself, as the member that it is where it is installed. It has a secret. */
  | 'service';

/** The format of an app's access tokens. */
export type TokenFormat =
  /** A signed JWT (RFC 9068). */
  | 'jwt'
  /** A random string. */
  | 'opaque';

/**
 * An integration that organisations install and people consent to (OAuth 2.0). It belongs to the organisation that created it,
 * where it is installed from the start.
 */
export type App = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** What the app calls itself at the authorization server. */
  readonly clientId: Scalars['String']['output'];
  /** The name, which people see when they consent. */
  readonly name: Scalars['String']['output'];
  /** How it is built. */
  readonly type: AppType;
  /** Where people may be sent back to, compared exactly. For native apps a loopback address matches with any port. */
  readonly redirectUris: ReadonlyArray<Scalars['String']['output']>;
  /** The most that it may ask for. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** The format of its access tokens. */
  readonly tokenFormat: TokenFormat;
  /** Its website. People see the host when they consent. */
  readonly homepageUrl?: Maybe<Scalars['String']['output']>;
  /** The public keys with which it authenticates in place of a secret (`private_key_jwt`), as a JWK set; null without any. */
  readonly jwks?: Maybe<Scalars['JSON']['output']>;
  /** The name in the certificate with which it authenticates in place of a secret (`tls_client_auth`); null without one. */
  readonly certificate?: Maybe<AppCertificate>;
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When it was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** A name in a client certificate. One of the members has a value. */
export type AppCertificate = {
  /** A URI among the subject alternative names. */
  readonly sanUri?: Maybe<Scalars['String']['output']>;
  /** A DNS name among the subject alternative names. */
  readonly sanDns?: Maybe<Scalars['String']['output']>;
};

/** A page of apps, oldest first. */
export type AppPage = {
  /** The apps of this page. */
  readonly nodes: ReadonlyArray<App>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<AppEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last app of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A new app, with its secret, which no later response contains. */
export type CreatedApp = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** What the app calls itself at the authorization server. */
  readonly clientId: Scalars['String']['output'];
  /** The secret. Null for native apps, and for apps that authenticate by keys or a certificate. */
  readonly clientSecret?: Maybe<Scalars['String']['output']>;
  /** The name. */
  readonly name: Scalars['String']['output'];
  /** How it is built. */
  readonly type: AppType;
  /** Where people may be sent back to. */
  readonly redirectUris: ReadonlyArray<Scalars['String']['output']>;
  /** The most that it may ask for. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** The format of its access tokens. */
  readonly tokenFormat: TokenFormat;
  /** Its website. */
  readonly homepageUrl?: Maybe<Scalars['String']['output']>;
  /** When it was created. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** A new secret of an app, which no later response contains. */
export type CreatedAppSecret = {
  /** Identifier of the app. */
  readonly id: Scalars['ID']['output'];
  /** What the app calls itself at the authorization server. */
  readonly clientId: Scalars['String']['output'];
  /** The secret. The one before it is still valid; all earlier ones are not. */
  readonly clientSecret: Scalars['String']['output'];
};

/** A name in a client certificate: exactly one of the members. */
export type AppCertificateInput = {
  /** A URI among the subject alternative names. */
  readonly sanUri?: InputMaybe<Scalars['String']['input']>;
  /** A DNS name among the subject alternative names. */
  readonly sanDns?: InputMaybe<Scalars['String']['input']>;
};

/** A new app. */
export type CreateAppInput = {
  /** The name, which people see when they consent. */
  readonly name: Scalars['String']['input'];
  /** How it is built. */
  readonly type: AppType;
  /**
   * Where people may be sent back to: `https`, or `http` for loopback hosts; native apps may have a scheme of their own. Web apps need
   * one; service apps have none.
   */
  readonly redirectUris?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The most that it may ask for: at least one scope, and only scopes that your own credentials carry. */
  readonly scopes: ReadonlyArray<Scalars['String']['input']>;
  /** The format of its access tokens. */
  readonly tokenFormat?: InputMaybe<TokenFormat>;
  /** Its website, an `https` URL. */
  readonly homepageUrl?: InputMaybe<Scalars['String']['input']>;
  /** Public keys to authenticate with in place of a secret, as a JWK set (`private_key_jwt`). */
  readonly jwks?: InputMaybe<Scalars['JSON']['input']>;
  /** The name in the certificate to authenticate with in place of a secret (`tls_client_auth`). Its tokens are bound to the certificate. */
  readonly certificate?: InputMaybe<AppCertificateInput>;
};

/** Changes of an app. Omitted members stay unchanged. */
export type UpdateAppInput = {
  /** The name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Where people may be sent back to. */
  readonly redirectUris?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The most that it may ask for. It counts for tokens that are issued from then on. The installation in your own organisation follows. */
  readonly scopes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The format of its access tokens. */
  readonly tokenFormat?: InputMaybe<TokenFormat>;
  /** Its website, an `https` URL; null for none. */
  readonly homepageUrl?: InputMaybe<Scalars['String']['input']>;
};

/** What a caller showed to be let in. */
export type CredentialKind =
  /** An access token of a sign-in. */
  | 'session'
  /** An API key. */
  | 'api_key'
  /** A client certificate. */
  | 'certificate'
  /** An access token that the authorization server gave to an app. */
  | 'app'
  /** The cookie of a browser that has signed in at the authorization server. */
  | 'browser'
  /** A command of an operator of the server. */
  | 'operator';

/** Credentials, by what they are: never by what was shown. */
export type AuditCredentials = {
  /** What kind of credentials they are. */
  readonly kind: CredentialKind;
  /** Identifier of the session, of the API key, or of the app's grant. Null for other kinds, and for tokens that name no session. */
  readonly id?: Maybe<Scalars['ID']['output']>;
};

/** An entry of the audit log: an event with where it came from, or what no event reports, such as a sign-in. */
export type AuditEntry = {
  /** Identifier, within the audit log. */
  readonly id: Scalars['ID']['output'];
  /** What happened: the type of an event, or one of the audit log alone. */
  readonly type: Scalars['String']['output'];
  /** The event; null for what is none, and for no one to see in the feed. */
  readonly eventId?: Maybe<Scalars['ID']['output']>;
  /** Identifier of the person or app who did it; null for the server itself, for an operator, and where it is not known. */
  readonly actorId?: Maybe<Scalars['ID']['output']>;
  /** The person or app who did it. */
  readonly actor?: Maybe<Actor>;
  /** By which credentials; null without any, where they are not known, and for what the server did by itself. */
  readonly credentials?: Maybe<AuditCredentials>;
  /** The IP address from which it was done; null where there is none, or it is not known. */
  readonly address?: Maybe<Scalars['String']['output']>;
  /** The kind of the subject, such as `user`. */
  readonly subjectType: Scalars['String']['output'];
  /** Identifier of the subject, within its kind. */
  readonly subjectId: Scalars['ID']['output'];
  /** Details, by type. Member names are snake_case, as in REST. */
  readonly data: Scalars['JSON']['output'];
  /**
   * How often it has happened since `createdAt`: wrong passwords for one account from one address are one entry for an hour. 1 for everything
   * else.
   */
  readonly occurrences: Scalars['Int']['output'];
  /** When it happened, for the first time. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** A page of the audit log. */
export type AuditEntryConnection = {
  /** The entries of this page. */
  readonly nodes: ReadonlyArray<AuditEntry>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<AuditEntryEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last entry of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/**
 * The position of an offset page in its list. Offset pages allow jumps and have a total; their cost grows
 * with the offset, so a page starts after at most 10,000 rows. Cursor lists have no such limit.
 */
export type OffsetPageInfo = {
  /** Number of this page, from 1. */
  readonly page: Scalars['Int']['output'];
  /** The applied page size: as requested, at most 100. */
  readonly limit: Scalars['Int']['output'];
  /** The number of rows of the whole list. */
  readonly total: Scalars['Int']['output'];
  /** Number of the next page, null on the last one. */
  readonly nextPage?: Maybe<Scalars['Int']['output']>;
};

/** The position of a page in a list that is read by cursor, as Relay's specification of cursor connections has it. */
export type PageInfo = {
  /** Whether there are more rows behind this page. Of a page that was read backwards, whether it ended before a cursor. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether there are more rows before this page. Of a page that was read forwards, whether it began after a cursor. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The position of the first row; pass it as `before` to read backwards. Null on an empty page. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
  /** The position of the last row; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
};

/**
 * An object that can be read by an identifier of its own, whatever its type, as Relay's specification of object identification has it. Each
 * type with a field of `Query` that takes an `id` is one.
 */
export type Node = {
  /** Identifier within the type. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
};

/** The state of a charge. */
export type ChargeStatus =
  /** The outcome is not known yet. The server queries the payment provider for it; a retry with its idempotency key does so at once. */
  | 'pending'
  /** The money was taken. */
  | 'succeeded'
  /** The source was declined, and no money moved. */
  | 'failed'
  /** All of the money was refunded. */
  | 'refunded';

/** The state of a refund. */
export type RefundStatus =
  /** The outcome is not known yet. The server queries the payment provider for it. */
  | 'pending'
  /** The money was given back. */
  | 'succeeded'
  /** The money could not be given back. */
  | 'failed';

/** Money that was given back of a charge. */
export type Refund = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier of the charge. */
  readonly chargeId: Scalars['ID']['output'];
  /** The amount. */
  readonly amount: Money;
  /** The state of the refund. */
  readonly status: RefundStatus;
  /** Identifier of the person who requested it. */
  readonly userId: Scalars['ID']['output'];
  /** When it was requested. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** An exact amount of money. */
export type Money = {
  /** The amount in the currency's usual unit: 19.99. */
  readonly value: Scalars['Decimal']['output'];
  /** The currency code (ISO 4217). */
  readonly currency: Scalars['String']['output'];
};

/**
 * What keeps a request from being carried out twice: its idempotency key, and what became of it. It is kept for 24 hours after the
 * outcome.
 */
export type IdempotencyRecord = {
  /** The mutation that the key belongs to. */
  readonly mutation: Scalars['String']['output'];
  /** The key, as the client sent it. */
  readonly key: Scalars['String']['output'];
  /** The state of the request. */
  readonly status: IdempotencyStatus;
  /** The number of requests that worked on it: the first, and each that took it over after a crash. */
  readonly attempts: Scalars['Int']['output'];
  /** When the first request came. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** The state of a request with an idempotency key. */
export type IdempotencyStatus =
  /** It is being carried out, or was interrupted: a retry with the same key continues it. */
  | 'new'
  /** It has an outcome, which a retry with the same key gets. */
  | 'done';

/** A page of charges, newest first. */
export type ChargePage = {
  /** The charges of this page. */
  readonly nodes: ReadonlyArray<Charge>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<ChargeEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last charge of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** An amount of money. More decimals than the currency has are refused, never rounded. */
export type MoneyInput = {
  /** The amount in the currency's usual unit, above 0: 19.99. */
  readonly value: Scalars['Decimal']['input'];
  /** The currency code (ISO 4217): USD. */
  readonly currency: Scalars['String']['input'];
};

/** A new charge. It has `amount` or `minorAmount`. */
export type CreateChargeInput = {
  /** The amount. */
  readonly amount?: InputMaybe<MoneyInput>;
  /**
   * The amount in cents of USD.
   * @deprecated It has no currency. Use `amount`.
   */
  readonly minorAmount?: InputMaybe<Scalars['Int']['input']>;
  /** The token of the payment source, from the payment gateway. */
  readonly source: Scalars['String']['input'];
  /** The order to pay: of your organisation, in the same currency, and not cancelled. */
  readonly orderId?: InputMaybe<Scalars['ID']['input']>;
};

/**
 * A client certificate that a machine shows to be let in (mutual TLS). It acts for the person who registered it, with at most that
 * person's current rights, as an API key does.
 */
export type ClientCertificate = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** The purpose, as given by its creator. */
  readonly name: Scalars['String']['output'];
  /** What certificates are recognised by. */
  readonly match: ClientCertificateMatch;
  /** Granted scopes. Those that the owner's role lacks have no effect. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** Identifier of the owner. */
  readonly ownerId: Scalars['ID']['output'];
  /** The owner. */
  readonly owner: User;
  /** When it was registered. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the registration expires; null for never. A certificate has an end of its own besides. */
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it was last used, to the minute; null before the first use. */
  readonly lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it was revoked; null while it is valid. */
  readonly revokedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** What a client certificate is recognised by. One of the members has a value. */
export type ClientCertificateMatch = {
  /** The SHA-256 of the certificate, base64url (`x5t#S256`). */
  readonly thumbprint?: Maybe<Scalars['String']['output']>;
  /** A URI among the subject alternative names. */
  readonly sanUri?: Maybe<Scalars['String']['output']>;
  /** A DNS name among the subject alternative names. */
  readonly sanDns?: Maybe<Scalars['String']['output']>;
};

/** A page of client certificates, oldest first. */
export type ClientCertificatePage = {
  /** The certificates of this page, including revoked and expired ones. */
  readonly nodes: ReadonlyArray<ClientCertificate>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<ClientCertificateEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last certificate of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** What a client certificate is recognised by: exactly one of the members. A match can be registered once on the whole server. */
export type ClientCertificateMatchInput = {
  /** The SHA-256 of the certificate: 64 hexadecimal digits with or without colons, or base64url. */
  readonly thumbprint?: InputMaybe<Scalars['String']['input']>;
  /** A URI among the subject alternative names, compared as it is. */
  readonly sanUri?: InputMaybe<Scalars['String']['input']>;
  /** A DNS name among the subject alternative names, without wildcards. */
  readonly sanDns?: InputMaybe<Scalars['String']['input']>;
};

/** A client certificate to register. */
export type CreateClientCertificateInput = {
  /** The purpose, to recognise the registration in a list. */
  readonly name: Scalars['String']['input'];
  /** What certificates are recognised by. The common name of a certificate counts for nothing. */
  readonly match: ClientCertificateMatchInput;
  /** Scopes to grant: at least one, and only scopes that your own credentials carry. */
  readonly scopes: ReadonlyArray<Scalars['String']['input']>;
  /** When the registration expires, in the future. Without it, it is valid until it is revoked. */
  readonly expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Who may read a document, besides its author, admins and the people it is shared with. */
export type Classification =
  /** Everyone in the organisation. It may be published. */
  | 'public'
  /** Everyone in the organisation. */
  | 'internal'
  /** No other person. */
  | 'confidential';

/** What a share lets a person do with a document. */
export type ShareRelation =
  /** Read it. */
  | 'reader'
  /** Read it and change its text, also with a role that only reads. */
  | 'writer';

/** A document of an organisation. */
export type Document = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** The short name of the organisation. */
  readonly org: Scalars['String']['output'];
  /** The title. */
  readonly title: Scalars['String']['output'];
  /** The text. */
  readonly body: Scalars['String']['output'];
  /** Who may read it. */
  readonly classification: Classification;
  /** Identifier of the author. */
  readonly authorId: Scalars['ID']['output'];
  /** The author. */
  readonly author: User;
  /**
   * The shares, at most 100, oldest first. `forbidden` for callers who may not
   * change the document.
   */
  readonly shares: ReadonlyArray<Share>;
  /** The events of the document, newest first. */
  readonly history: ActivityPage;
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When it was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};


/** A document of an organisation. */
export type DocumentHistoryArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};

/** The share of one document with one person. */
export type Share = {
  /** Identifier of the person. */
  readonly userId: Scalars['ID']['output'];
  /** The person. */
  readonly user: User;
  /** The relation. */
  readonly relation: ShareRelation;
  /** When the document was first shared with the person. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** A page of documents, oldest first. */
export type DocumentPage = {
  /** The documents of this page. */
  readonly nodes: ReadonlyArray<Document>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<DocumentEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /**
   * The position up to which this page was searched, usually that of its last document; pass it as `after` to continue.
   * Null when there was nothing to search.
   */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /**
   * Whether there are more pages. A page may be short or empty although this is true, because it searched
   * 1,000 documents, most of them hidden from the caller: continue from its cursor.
   */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A member of an organisation: a person, or an installed app. */
export type User = Node & {
  /**
   * Documents of the person that the caller may read, by time of creation. By default the first 20; the two arguments
   * exclude each other. Only the first or last 200 documents of the person are searched.
   */
  readonly documents: ReadonlyArray<Document>;
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** The short name of the organisation. */
  readonly org: Scalars['String']['output'];
  /** The display name. */
  readonly name: Scalars['String']['output'];
  /** The address the person signs in with. Empty for removed people. */
  readonly email: Scalars['String']['output'];
  /** A person, or an installed app. */
  readonly kind: MemberKind;
  /** The role. The lowest for removed people, who have no access. */
  readonly role: Role;
  /** The URL of an avatar. */
  readonly avatarUrl: Scalars['String']['output'];
  /**
   * The number of unread events that the caller may see: after the last one marked as read, and among the
   * newest 1,000 of the organisation. At most 100, which means 100 or more: show it as "99+". Null for other people,
   * and for credentials without the scope `read:feed`.
   */
  readonly unreadNotifications?: Maybe<Scalars['Int']['output']>;
  /** The person's orders, by time of creation. By default the first 20; the two arguments exclude each other. */
  readonly orders: ReadonlyArray<Order>;
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When the account was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the account was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** When the person was removed; null for active people. Their events keep the name. */
  readonly removedAt?: Maybe<Scalars['DateTime']['output']>;
};


/** A member of an organisation: a person, or an installed app. */
export type UserDocumentsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A member of an organisation: a person, or an installed app. */
export type UserOrdersArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};

/** A new document. Its author is the caller. */
export type CreateDocumentInput = {
  /** The title. */
  readonly title: Scalars['String']['input'];
  /** The text. */
  readonly body: Scalars['String']['input'];
  /** Who may read it. Null means the default. */
  readonly classification?: InputMaybe<Classification>;
};

/** Changes of a document. Omitted members stay unchanged. */
export type UpdateDocumentInput = {
  /** The title. */
  readonly title?: InputMaybe<Scalars['String']['input']>;
  /** The text. */
  readonly body?: InputMaybe<Scalars['String']['input']>;
  /** Who may read it. Changing it requires `write:docs`; a share as writer is not enough. */
  readonly classification?: InputMaybe<Classification>;
};

/** A new share. */
export type CreateShareInput = {
  /** A person of your organisation. */
  readonly userId: Scalars['ID']['input'];
  /** The relation. */
  readonly relation: ShareRelation;
};

/** The consent of a person that an app may act for them. The app can never do more than the person can do now. */
export type Grant = {
  /** Identifier. Tokens carry it as `gid`. */
  readonly id: Scalars['ID']['output'];
  /** Identifier of the app as a client. */
  readonly clientId: Scalars['String']['output'];
  /** The name of the app. */
  readonly appName: Scalars['String']['output'];
  /** Identifier of the person. */
  readonly userId: Scalars['ID']['output'];
  /** The person. */
  readonly user?: Maybe<User>;
  /** What the person let the app do. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** When the person consented. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** A page of grants, oldest first. */
export type GrantPage = {
  /** The grants of this page. */
  readonly nodes: ReadonlyArray<Grant>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<GrantEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last grant of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** An app in an organisation. People of the organisation may consent to it, and it may act there by itself as a member of its own. */
export type Installation = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** Identifier of the app as a client of the authorization server. */
  readonly clientId: Scalars['String']['output'];
  /** The name of the app. */
  readonly name: Scalars['String']['output'];
  /** The organisation that the app belongs to. */
  readonly publisher: Scalars['String']['output'];
  /** The website of the app. */
  readonly homepageUrl?: Maybe<Scalars['String']['output']>;
  /** The most that the app may do in this organisation, for itself and for its people. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** The role of the app as a member. */
  readonly role: Role;
  /** Identifier of the member that the app is here: the actor of what it does by itself. */
  readonly memberId: Scalars['ID']['output'];
  /** When it was installed. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** A page of installations, oldest first. */
export type InstallationPage = {
  /** The installations of this page. */
  readonly nodes: ReadonlyArray<Installation>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<InstallationEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last installation of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A new installation. */
export type CreateInstallationInput = {
  /** Identifier of the app as a client, as its publisher gives it. */
  readonly clientId: Scalars['String']['input'];
  /** The most that the app may do: scopes that the app asks for, and that your own credentials carry. */
  readonly scopes: ReadonlyArray<Scalars['String']['input']>;
  /** The role of the app as a member. It bounds what the app does by itself. */
  readonly role: Role;
};

/** What became of an invitation. */
export type InvitationStatus =
  /** It can be accepted. */
  | 'open'
  /** The invited person joined. */
  | 'accepted'
  /** An administrator revoked it. */
  | 'revoked'
  /** It was not accepted in time. */
  | 'expired';

/** An invitation to join an organisation, sent to an address. */
export type Invitation = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The short name of the organisation. */
  readonly org: Scalars['String']['output'];
  /** The address that it was sent to. */
  readonly email: Scalars['String']['output'];
  /** The role that the person gets. */
  readonly role: Role;
  /** What became of it. */
  readonly status: InvitationStatus;
  /** Identifier of the administrator who invited; null for an operator of the server. */
  readonly invitedById?: Maybe<Scalars['ID']['output']>;
  /** When it was made. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it can no longer be accepted. */
  readonly expiresAt: Scalars['DateTime']['output'];
};

/** A page of invitations, oldest first. */
export type InvitationPage = {
  /** The invitations of this page, in any state. */
  readonly nodes: ReadonlyArray<Invitation>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<InvitationEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last invitation of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** An invitation as the invited person sees it. */
export type ReceivedInvitation = {
  /** The display name of the organisation. */
  readonly organisation: Scalars['String']['output'];
  /** The name of the administrator who invited; null for an operator of the server. */
  readonly inviter?: Maybe<Scalars['String']['output']>;
  /** The address that it was sent to, to sign in with. */
  readonly email: Scalars['String']['output'];
  /** The role that the person gets. */
  readonly role: Role;
  /** When it can no longer be accepted. */
  readonly expiresAt: Scalars['DateTime']['output'];
};

/** A new invitation. */
export type CreateInvitationInput = {
  /** The address to invite; case-insensitive. */
  readonly email: Scalars['String']['input'];
  /** The role that the person gets. */
  readonly role: Role;
};

/** A page of people, oldest first. */
export type UserPage = {
  /** The people of this page. */
  readonly nodes: ReadonlyArray<User>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<UserEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last person of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A new member of an organisation. */
export type CreateMemberInput = {
  /** The address to sign in with; case-insensitive. Must be unused by active people of any organisation. */
  readonly email: Scalars['String']['input'];
  /** The display name. */
  readonly name: Scalars['String']['input'];
  /** The role. */
  readonly role: Role;
  /** The password to sign in with. */
  readonly password: Scalars['String']['input'];
};

/** Changes of a membership. Omitted members stay unchanged. */
export type UpdateMemberInput = {
  /** The new role. */
  readonly role?: InputMaybe<Role>;
};

/** The state of an order. A pending order becomes cancelled or shipped; both are final. */
export type OrderStatus =
  /** Can still be changed. */
  | 'pending'
  /** Cancelled. */
  | 'cancelled'
  /** Shipped. */
  | 'shipped';

/** The sort order of orders. Equal values are ordered by id, in the same direction. */
export type OrderSort =
  /** Identifier, lowest first. */
  | 'id'
  /** Identifier, highest first. */
  | 'id_desc'
  /** Time of creation, oldest first. */
  | 'created_at'
  /** Time of creation, newest first. */
  | 'created_at_desc'
  /** Total, smallest first. */
  | 'total'
  /** Total, greatest first. */
  | 'total_desc';

/** One line of an order. Name and price are the product's at the time of ordering. */
export type Item = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier of the product. */
  readonly productId: Scalars['ID']['output'];
  /** The product as it is today. */
  readonly product: Product;
  /** The name of the product when it was ordered. */
  readonly name: Scalars['String']['output'];
  /** The quantity. */
  readonly qty: Scalars['Int']['output'];
  /** Price of one piece when it was ordered, in the currency's usual unit. */
  readonly unitPrice: Scalars['Float']['output'];
  /** The URL of a thumbnail. */
  readonly thumbnailUrl: Scalars['String']['output'];
};

/** A page of orders. */
export type OrderPage = {
  /** The orders of this page. */
  readonly nodes: ReadonlyArray<Order>;
  /** The position of this page in the list. */
  readonly pageInfo: OffsetPageInfo;
};

/** The sort order of the orders of an organisation. Equal values are ordered by id, in the same direction. */
export type OrganisationOrderSort =
  /** Time of creation, oldest first. */
  | 'created_at'
  /** Time of creation, newest first. */
  | 'created_at_desc'
  /** Total, smallest first. */
  | 'total'
  /** Total, greatest first. */
  | 'total_desc';

/** A page of orders of an organisation. */
export type OrderConnection = {
  /** The orders of this page. */
  readonly nodes: ReadonlyArray<Order>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<OrderEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /**
   * The position up to which this page was searched, usually that of its last order; pass it as `after` to continue. Null
   * when there was nothing to search.
   */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /**
   * Whether there are more pages. A page may be short or empty although this is true, because it searched 5,000 orders,
   * most of them hidden by the filters: continue from its cursor.
   */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** One line of a new order. The price is the product's; it is not sent. */
export type OrderItemInput = {
  /** Identifier of a product of your organisation. */
  readonly productId: Scalars['ID']['input'];
  /** The quantity. */
  readonly qty: Scalars['Int']['input'];
};

/** A new order. */
export type CreateOrderInput = {
  /** The person who ordered. */
  readonly userId: Scalars['ID']['input'];
  /** The items: at least one, all in one currency. */
  readonly items: ReadonlyArray<OrderItemInput>;
};

/** Changes of a pending order. Omitted members stay unchanged. */
export type UpdateOrderInput = {
  /** The new state. */
  readonly status?: InputMaybe<OrderStatus>;
  /** Items that replace all present ones, at current prices. */
  readonly items?: InputMaybe<ReadonlyArray<OrderItemInput>>;
};

/** A request for a password reset. It is the same for every address, with or without an account. */
export type PasswordResetRequest = {
  /** The address, as it was sent. */
  readonly email: Scalars['String']['output'];
  /** Seconds until the link expires, if there is an account to send one to. */
  readonly expiresIn: Scalars['Int']['output'];
};

/** The result of a payment provider's message. */
export type PaymentEventReceipt = {
  /**
   * Whether it changed a charge. It does not when it is a duplicate, when it reports nothing new, and when it is about something
   * that is not known here.
   */
  readonly applied: Scalars['Boolean']['output'];
  /** The charge; null for an unknown one. */
  readonly charge?: Maybe<Charge>;
};

/** A message of the payment provider, as Standard Webhooks specifies. */
export type PaymentEventInput = {
  /** What happened: `charge.succeeded`, `charge.failed` or `charge.refunded`. Other types are accepted and ignored. */
  readonly type: Scalars['String']['input'];
  /** When it happened. */
  readonly timestamp: Scalars['DateTime']['input'];
  /**
   * The subject: `charge_id`, our identifier, which the provider got with the charge, or `payment_id`, the provider's
   * identifier; and `failure_code` of a failed charge. Other members are ignored.
   */
  readonly data: Scalars['JSON']['input'];
};

/** A product. Orders keep name and price as they were when they were placed. */
export type Product = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** The name. */
  readonly name: Scalars['String']['output'];
  /** Price of one piece, in the currency's usual unit. */
  readonly unitPrice: Scalars['Float']['output'];
  /** The currency of the price (ISO 4217). */
  readonly currency: Scalars['String']['output'];
  /** The URL of a thumbnail. */
  readonly thumbnailUrl: Scalars['String']['output'];
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When it was added. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** When it was archived; null for a product that can be ordered. */
  readonly archivedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** A page of products, oldest first. */
export type ProductPage = {
  /** The products of this page. */
  readonly nodes: ReadonlyArray<Product>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<ProductEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last product of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A new product. */
export type CreateProductInput = {
  /** The name. */
  readonly name: Scalars['String']['input'];
  /** Price of one piece, in the currency's usual unit: 0 or more. More decimals than the currency has are refused, never rounded. */
  readonly unitPrice: Scalars['Decimal']['input'];
  /** The currency of the price (ISO 4217). */
  readonly currency: Scalars['String']['input'];
};

/** Changes of a product. Omitted members stay unchanged. Orders that were placed keep their prices. */
export type UpdateProductInput = {
  /** The name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** Price of one piece, in the currency's usual unit. */
  readonly unitPrice?: InputMaybe<Scalars['Decimal']['input']>;
  /** The currency of the price (ISO 4217). It is changed together with `unitPrice`. */
  readonly currency?: InputMaybe<Scalars['String']['input']>;
};

/** A session: a short-lived access token for each request and a refresh token to get the next one. */
export type Session = {
  /** A signed JWT. Send it as `Authorization: Bearer <accessToken>`. */
  readonly accessToken: Scalars['String']['output'];
  /** An opaque single-use token: exchange it for the next pair before the access token expires. */
  readonly refreshToken: Scalars['String']['output'];
  /**
   * Identifies this device at the next sign-in, so that wrong passwords from elsewhere do not lock it out. It grants
   * nothing by itself.
   */
  readonly deviceToken: Scalars['String']['output'];
  /** Always `Bearer`. */
  readonly tokenType: Scalars['String']['output'];
  /** Seconds until the access token expires. */
  readonly expiresIn: Scalars['Int']['output'];
};

/** A session that has not ended: a sign-in, on one device. */
export type ActiveSession = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier of the person. */
  readonly userId: Scalars['ID']['output'];
  /** The person. */
  readonly user: User;
  /** Scopes that the session carries, as far as the role gives them. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** The IP address of the sign-in. Null where it was not recorded. */
  readonly address?: Maybe<Scalars['String']['output']>;
  /** Whether it is the session of this request. */
  readonly current: Scalars['Boolean']['output'];
  /** When the person signed in. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The last sign-in or refresh. Null where it was not recorded. */
  readonly lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it ends, unless it is ended before. */
  readonly expiresAt: Scalars['DateTime']['output'];
};

/** A page of sessions, oldest first. */
export type ActiveSessionPage = {
  /** The sessions of this page. */
  readonly nodes: ReadonlyArray<ActiveSession>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<ActiveSessionEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last session of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** How an operation reaches the server. */
export type Door =
  /** A REST route. */
  | 'rest'
  /** A request to `/graphql`. */
  | 'graphql'
  /** A message on a WebSocket. */
  | 'websocket'
  /** A stream of server-sent events. */
  | 'sse';

/** The requests of an organisation for one operation through one door on one day. */
export type OperationUse = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The beginning of the day, in UTC. */
  readonly day: Scalars['DateTime']['output'];
  /** How the operation came. */
  readonly door: Door;
  /**
   * The operation: the `operationId` of a REST route, or the name in a GraphQL document. Null for documents that name none. From the 100th
   * name of a day on, all further ones are `other`.
   */
  readonly operation?: Maybe<Scalars['String']['output']>;
  /** How many requests there were. A stream is one. */
  readonly requests: Scalars['Int']['output'];
  /** How many of them were refused, or had an error in their response. */
  readonly errors: Scalars['Int']['output'];
  /** Points that they cost, with those of the events that streams were sent. */
  readonly points: Scalars['Float']['output'];
};

/** A page of uses of operations, newest first. */
export type OperationUseConnection = {
  /** The uses of this page. */
  readonly nodes: ReadonlyArray<OperationUse>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<OperationUseEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last use of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** The uses of a deprecated route or part of the schema by one caller on one day. */
export type DeprecatedUse = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The beginning of the day, in UTC. */
  readonly day: Scalars['DateTime']['output'];
  /** What is deprecated: a route such as `POST /v1/charges`, or a schema coordinate such as `Charge.minorAmount`. */
  readonly name: Scalars['String']['output'];
  /** Identifier of the person or app who used it. */
  readonly actorId: Scalars['ID']['output'];
  /** The person or app who used it. */
  readonly actor?: Maybe<Actor>;
  /** By which credentials. Sessions of one person count together, without an id. */
  readonly credentials: AuditCredentials;
  /** How many requests used it. */
  readonly uses: Scalars['Int']['output'];
  /** When it was used last on that day. */
  readonly lastUsedAt: Scalars['DateTime']['output'];
};

/** A page of uses of what is deprecated, newest first. */
export type DeprecatedUseConnection = {
  /** The uses of this page. */
  readonly nodes: ReadonlyArray<DeprecatedUse>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<DeprecatedUseEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last use of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** The role of a person in the organisation. */
export type Role =
  /** Full access to the organisation. */
  | 'admin'
  /** Reads everything, and writes orders, documents and charges. */
  | 'editor'
  /** Reads. */
  | 'viewer';

/** What kind of member it is. */
export type MemberKind =
  /** A person. */
  | 'person'
  /** An installed app. */
  | 'app';

/** Changes of a person. Omitted members stay unchanged. */
export type UpdateUserInput = {
  /** The display name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
};

/** A receiver of the organisation's events, sent as Standard Webhooks messages. */
export type Webhook = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier among the objects of all types. Opaque: `node` takes it. */
  readonly nodeId: Scalars['ID']['output'];
  /** Where the messages are sent. */
  readonly url: Scalars['String']['output'];
  /** Event types it receives: a type such as `order.created`, all of a subject such as `order.*`, or `*` for everything. */
  readonly types: ReadonlyArray<Scalars['String']['output']>;
  /** Whether messages are sent. A re-enabled webhook continues where it stopped. */
  readonly enabled: Scalars['Boolean']['output'];
  /** Why it is disabled; null while it is enabled. */
  readonly disabledReason?: Maybe<WebhookDisabledReason>;
  /** Since when it is disabled; null while it is enabled. */
  readonly disabledAt?: Maybe<Scalars['DateTime']['output']>;
  /** Until when messages are signed with the former secret as well; null before the first secret was replaced. */
  readonly formerSecretUntil?: Maybe<Scalars['DateTime']['output']>;
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When it was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** Why a webhook is disabled. */
export type WebhookDisabledReason =
  /** A person disabled it. */
  | 'by_hand'
  /** The receiver returned 410 Gone. */
  | 'gone'
  /** All attempts at a message failed, and no other message was accepted in that time. */
  | 'failing';

/** A page of webhooks, oldest first. */
export type WebhookPage = {
  /** The webhooks of this page. */
  readonly nodes: ReadonlyArray<Webhook>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<WebhookEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last webhook of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A new webhook, with its secret, which no later response contains. */
export type CreatedWebhook = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Where the messages are sent. */
  readonly url: Scalars['String']['output'];
  /** Event types it receives. */
  readonly types: ReadonlyArray<Scalars['String']['output']>;
  /** The signing secret. Store it now: it is shown once. */
  readonly secret: Scalars['String']['output'];
};

/** A new secret of a webhook. */
export type CreatedWebhookSecret = {
  /** Identifier of the webhook. */
  readonly id: Scalars['ID']['output'];
  /** The new signing secret. Store it now: it is shown once. */
  readonly secret: Scalars['String']['output'];
  /** Until when they are signed with the former secret as well. */
  readonly formerSecretUntil: Scalars['DateTime']['output'];
};

/** The delivery of one event to a webhook. */
export type WebhookDelivery = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The header `webhook-id` of every attempt, by which receivers detect duplicates. */
  readonly messageId: Scalars['String']['output'];
  /** Identifier of the webhook. */
  readonly webhookId: Scalars['ID']['output'];
  /** Identifier of the event, as in the feed. */
  readonly eventId: Scalars['ID']['output'];
  /** What happened. */
  readonly type: Scalars['String']['output'];
  /** The current state. */
  readonly status: WebhookDeliveryStatus;
  /** The attempts in order, including a scheduled one. */
  readonly attempts: ReadonlyArray<WebhookAttempt>;
  /** When it was first due. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When it was accepted or given up; null while attempts continue. */
  readonly finishedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** The state of a delivery. */
export type WebhookDeliveryStatus =
  /** Attempts continue. */
  | 'pending'
  /** The receiver accepted it with a status from 200 to 299. */
  | 'delivered'
  /** It was given up. */
  | 'failed';

/** A page of deliveries, newest first. Kept for 30 days, or longer while attempts continue. */
export type WebhookDeliveryPage = {
  /** The deliveries of this page. */
  readonly nodes: ReadonlyArray<WebhookDelivery>;
  /** The same with their cursors. */
  readonly edges: ReadonlyArray<WebhookDeliveryEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last delivery of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** One attempt to deliver a message. */
export type WebhookAttempt = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Its number among the attempts of its delivery, from 1. */
  readonly number: Scalars['Int']['output'];
  /** The trigger. */
  readonly trigger: WebhookAttemptTrigger;
  /** When it is due. */
  readonly dueAt: Scalars['DateTime']['output'];
  /** When it started; null for a scheduled one. */
  readonly startedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it ended; null before that. */
  readonly finishedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The duration in milliseconds; null before its end, and when it was not made. */
  readonly durationMs?: Maybe<Scalars['Int']['output']>;
  /** The HTTP status of the response; null without one. */
  readonly status?: Maybe<Scalars['Int']['output']>;
  /** Why it failed; null when it was accepted or is not finished. */
  readonly error?: Maybe<WebhookAttemptError>;
  /** The first 1,024 bytes of the response; null without one. */
  readonly answer?: Maybe<Scalars['String']['output']>;
};

/** The trigger of an attempt. */
export type WebhookAttemptTrigger =
  /** The schedule. */
  | 'schedule'
  /** A redelivery was requested. */
  | 'redelivery';

/** Why an attempt failed. */
export type WebhookAttemptError =
  /** The address of the URL is not public, or not allowed. */
  | 'target_refused'
  /** The host name has no address. */
  | 'name_not_resolved'
  /** The connection failed, or broke before a response. */
  | 'connection_failed'
  /** The receiver has no trusted certificate for the host name, or no TLS. */
  | 'tls_failed'
  /** No response within 15 seconds. */
  | 'timeout'
  /** The response was a redirect, which is not followed. */
  | 'redirect'
  /** The status of the response was not 200 to 299. */
  | 'status'
  /** The server stopped repeatedly during this attempt, or could not read the webhook's secret. */
  | 'interrupted'
  /** The event has expired. */
  | 'event_gone';

/** A new webhook. */
export type CreateWebhookInput = {
  /** A public https URL. It is checked again at each attempt. */
  readonly url: Scalars['String']['input'];
  /** Event types to receive: a type such as `order.created`, all of a subject such as `order.*`, or `*`. */
  readonly types: ReadonlyArray<Scalars['String']['input']>;
};

/** Changes of a webhook. Omitted members stay unchanged. */
export type UpdateWebhookInput = {
  /** A public https URL. */
  readonly url?: InputMaybe<Scalars['String']['input']>;
  /** Event types to receive from now on. */
  readonly types?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** False pauses the webhook, true continues where it stopped. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type ActivityEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: Activity;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type ApiKeyEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: ApiKey;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type AppEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: App;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type AuditEntryEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: AuditEntry;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type ChargeEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: Charge;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type ClientCertificateEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: ClientCertificate;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type DocumentEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: Document;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type GrantEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: Grant;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type InstallationEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: Installation;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type InvitationEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: Invitation;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type UserEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: User;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type OrderEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: Order;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type ProductEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: Product;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type ActiveSessionEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: ActiveSession;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type OperationUseEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: OperationUse;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type DeprecatedUseEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: DeprecatedUse;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type WebhookEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: Webhook;
};

/** One of a page, with its position. It costs nothing beside its node. */
export type WebhookDeliveryEdge = {
  /** Its position in the list. */
  readonly cursor: Scalars['String']['output'];
  /** What the list is of. */
  readonly node: WebhookDelivery;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;




/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Subject: never;
  Node:
    | ( ActivityNode )
    | ( OrderNode )
    | ( ChargeNode )
    | ( ApiKeyNode )
    | ( AppNode )
    | ( ClientCertificateNode )
    | ( DocumentNode )
    | ( UserNode )
    | ( InstallationNode )
    | ( ProductNode )
    | ( WebhookNode )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Actor: ResolverTypeWrapper<ActorNode>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Activity: ResolverTypeWrapper<ActivityNode>;
  Subject: ResolverTypeWrapper<SubjectNode>;
  ActivityPage: ResolverTypeWrapper<Omit<ActivityPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['Activity']>, edges: ReadonlyArray<ResolversTypes['ActivityEdge']> }>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Order: ResolverTypeWrapper<OrderNode>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Charge: ResolverTypeWrapper<ChargeNode>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ApiKey: ResolverTypeWrapper<ApiKeyNode>;
  ApiKeyPage: ResolverTypeWrapper<Omit<ApiKeyPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['ApiKey']>, edges: ReadonlyArray<ResolversTypes['ApiKeyEdge']> }>;
  CreatedApiKey: ResolverTypeWrapper<CreatedApiKey>;
  CreateApiKeyInput: CreateApiKeyInput;
  AppType: AppType;
  TokenFormat: TokenFormat;
  App: ResolverTypeWrapper<AppNode>;
  AppCertificate: ResolverTypeWrapper<AppCertificate>;
  AppPage: ResolverTypeWrapper<Omit<AppPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['App']>, edges: ReadonlyArray<ResolversTypes['AppEdge']> }>;
  CreatedApp: ResolverTypeWrapper<CreatedApp>;
  CreatedAppSecret: ResolverTypeWrapper<CreatedAppSecret>;
  AppCertificateInput: AppCertificateInput;
  CreateAppInput: CreateAppInput;
  UpdateAppInput: UpdateAppInput;
  CredentialKind: CredentialKind;
  AuditCredentials: ResolverTypeWrapper<AuditCredentials>;
  AuditEntry: ResolverTypeWrapper<AuditEntryNode>;
  AuditEntryConnection: ResolverTypeWrapper<Omit<AuditEntryConnection, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['AuditEntry']>, edges: ReadonlyArray<ResolversTypes['AuditEntryEdge']> }>;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  OffsetPageInfo: ResolverTypeWrapper<OffsetPageInfo>;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  ChargeStatus: ChargeStatus;
  RefundStatus: RefundStatus;
  Refund: ResolverTypeWrapper<RefundNode>;
  Money: ResolverTypeWrapper<Money>;
  IdempotencyRecord: ResolverTypeWrapper<IdempotencyRecordNode>;
  IdempotencyStatus: IdempotencyStatus;
  ChargePage: ResolverTypeWrapper<Omit<ChargePage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['Charge']>, edges: ReadonlyArray<ResolversTypes['ChargeEdge']> }>;
  MoneyInput: MoneyInput;
  CreateChargeInput: CreateChargeInput;
  ClientCertificate: ResolverTypeWrapper<ClientCertificateNode>;
  ClientCertificateMatch: ResolverTypeWrapper<ClientCertificateMatch>;
  ClientCertificatePage: ResolverTypeWrapper<Omit<ClientCertificatePage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['ClientCertificate']>, edges: ReadonlyArray<ResolversTypes['ClientCertificateEdge']> }>;
  ClientCertificateMatchInput: ClientCertificateMatchInput;
  CreateClientCertificateInput: CreateClientCertificateInput;
  Classification: Classification;
  ShareRelation: ShareRelation;
  Document: ResolverTypeWrapper<DocumentNode>;
  Share: ResolverTypeWrapper<ShareNode>;
  DocumentPage: ResolverTypeWrapper<Omit<DocumentPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['Document']>, edges: ReadonlyArray<ResolversTypes['DocumentEdge']> }>;
  User: ResolverTypeWrapper<UserNode>;
  CreateDocumentInput: CreateDocumentInput;
  UpdateDocumentInput: UpdateDocumentInput;
  CreateShareInput: CreateShareInput;
  Grant: ResolverTypeWrapper<GrantNode>;
  GrantPage: ResolverTypeWrapper<Omit<GrantPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['Grant']>, edges: ReadonlyArray<ResolversTypes['GrantEdge']> }>;
  Installation: ResolverTypeWrapper<InstallationNode>;
  InstallationPage: ResolverTypeWrapper<Omit<InstallationPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['Installation']>, edges: ReadonlyArray<ResolversTypes['InstallationEdge']> }>;
  CreateInstallationInput: CreateInstallationInput;
  InvitationStatus: InvitationStatus;
  Invitation: ResolverTypeWrapper<InvitationNode>;
  InvitationPage: ResolverTypeWrapper<Omit<InvitationPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['Invitation']>, edges: ReadonlyArray<ResolversTypes['InvitationEdge']> }>;
  ReceivedInvitation: ResolverTypeWrapper<ReceivedInvitation>;
  CreateInvitationInput: CreateInvitationInput;
  UserPage: ResolverTypeWrapper<Omit<UserPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['User']>, edges: ReadonlyArray<ResolversTypes['UserEdge']> }>;
  CreateMemberInput: CreateMemberInput;
  UpdateMemberInput: UpdateMemberInput;
  OrderStatus: OrderStatus;
  OrderSort: OrderSort;
  Item: ResolverTypeWrapper<ItemNode>;
  OrderPage: ResolverTypeWrapper<Omit<OrderPage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['Order']> }>;
  OrganisationOrderSort: OrganisationOrderSort;
  OrderConnection: ResolverTypeWrapper<Omit<OrderConnection, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['Order']>, edges: ReadonlyArray<ResolversTypes['OrderEdge']> }>;
  OrderItemInput: OrderItemInput;
  CreateOrderInput: CreateOrderInput;
  UpdateOrderInput: UpdateOrderInput;
  PasswordResetRequest: ResolverTypeWrapper<PasswordResetRequest>;
  PaymentEventReceipt: ResolverTypeWrapper<PaymentEventReceiptNode>;
  PaymentEventInput: PaymentEventInput;
  Product: ResolverTypeWrapper<ProductNode>;
  ProductPage: ResolverTypeWrapper<Omit<ProductPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['Product']>, edges: ReadonlyArray<ResolversTypes['ProductEdge']> }>;
  CreateProductInput: CreateProductInput;
  UpdateProductInput: UpdateProductInput;
  Session: ResolverTypeWrapper<Session>;
  ActiveSession: ResolverTypeWrapper<ActiveSessionNode>;
  ActiveSessionPage: ResolverTypeWrapper<Omit<ActiveSessionPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['ActiveSession']>, edges: ReadonlyArray<ResolversTypes['ActiveSessionEdge']> }>;
  Door: Door;
  OperationUse: ResolverTypeWrapper<OperationUseNode>;
  OperationUseConnection: ResolverTypeWrapper<Omit<OperationUseConnection, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['OperationUse']>, edges: ReadonlyArray<ResolversTypes['OperationUseEdge']> }>;
  DeprecatedUse: ResolverTypeWrapper<DeprecatedUseNode>;
  DeprecatedUseConnection: ResolverTypeWrapper<Omit<DeprecatedUseConnection, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['DeprecatedUse']>, edges: ReadonlyArray<ResolversTypes['DeprecatedUseEdge']> }>;
  Role: Role;
  MemberKind: MemberKind;
  UpdateUserInput: UpdateUserInput;
  Webhook: ResolverTypeWrapper<WebhookNode>;
  WebhookDisabledReason: WebhookDisabledReason;
  WebhookPage: ResolverTypeWrapper<Omit<WebhookPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['Webhook']>, edges: ReadonlyArray<ResolversTypes['WebhookEdge']> }>;
  CreatedWebhook: ResolverTypeWrapper<CreatedWebhook>;
  CreatedWebhookSecret: ResolverTypeWrapper<CreatedWebhookSecret>;
  WebhookDelivery: ResolverTypeWrapper<WebhookDeliveryNode>;
  WebhookDeliveryStatus: WebhookDeliveryStatus;
  WebhookDeliveryPage: ResolverTypeWrapper<Omit<WebhookDeliveryPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['WebhookDelivery']>, edges: ReadonlyArray<ResolversTypes['WebhookDeliveryEdge']> }>;
  WebhookAttempt: ResolverTypeWrapper<WebhookAttemptNode>;
  WebhookAttemptTrigger: WebhookAttemptTrigger;
  WebhookAttemptError: WebhookAttemptError;
  CreateWebhookInput: CreateWebhookInput;
  UpdateWebhookInput: UpdateWebhookInput;
  ActivityEdge: ResolverTypeWrapper<Omit<ActivityEdge, 'node'> & { node: ResolversTypes['Activity'] }>;
  ApiKeyEdge: ResolverTypeWrapper<Omit<ApiKeyEdge, 'node'> & { node: ResolversTypes['ApiKey'] }>;
  AppEdge: ResolverTypeWrapper<Omit<AppEdge, 'node'> & { node: ResolversTypes['App'] }>;
  AuditEntryEdge: ResolverTypeWrapper<Omit<AuditEntryEdge, 'node'> & { node: ResolversTypes['AuditEntry'] }>;
  ChargeEdge: ResolverTypeWrapper<Omit<ChargeEdge, 'node'> & { node: ResolversTypes['Charge'] }>;
  ClientCertificateEdge: ResolverTypeWrapper<Omit<ClientCertificateEdge, 'node'> & { node: ResolversTypes['ClientCertificate'] }>;
  DocumentEdge: ResolverTypeWrapper<Omit<DocumentEdge, 'node'> & { node: ResolversTypes['Document'] }>;
  GrantEdge: ResolverTypeWrapper<Omit<GrantEdge, 'node'> & { node: ResolversTypes['Grant'] }>;
  InstallationEdge: ResolverTypeWrapper<Omit<InstallationEdge, 'node'> & { node: ResolversTypes['Installation'] }>;
  InvitationEdge: ResolverTypeWrapper<Omit<InvitationEdge, 'node'> & { node: ResolversTypes['Invitation'] }>;
  UserEdge: ResolverTypeWrapper<Omit<UserEdge, 'node'> & { node: ResolversTypes['User'] }>;
  OrderEdge: ResolverTypeWrapper<Omit<OrderEdge, 'node'> & { node: ResolversTypes['Order'] }>;
  ProductEdge: ResolverTypeWrapper<Omit<ProductEdge, 'node'> & { node: ResolversTypes['Product'] }>;
  ActiveSessionEdge: ResolverTypeWrapper<Omit<ActiveSessionEdge, 'node'> & { node: ResolversTypes['ActiveSession'] }>;
  OperationUseEdge: ResolverTypeWrapper<Omit<OperationUseEdge, 'node'> & { node: ResolversTypes['OperationUse'] }>;
  DeprecatedUseEdge: ResolverTypeWrapper<Omit<DeprecatedUseEdge, 'node'> & { node: ResolversTypes['DeprecatedUse'] }>;
  WebhookEdge: ResolverTypeWrapper<Omit<WebhookEdge, 'node'> & { node: ResolversTypes['Webhook'] }>;
  WebhookDeliveryEdge: ResolverTypeWrapper<Omit<WebhookDeliveryEdge, 'node'> & { node: ResolversTypes['WebhookDelivery'] }>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Actor: ActorNode;
  ID: Scalars['ID']['output'];
  Activity: ActivityNode;
  Subject: SubjectNode;
  ActivityPage: Omit<ActivityPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['Activity']>, edges: ReadonlyArray<ResolversParentTypes['ActivityEdge']> };
  Query: Record<PropertyKey, never>;
  Order: OrderNode;
  Float: Scalars['Float']['output'];
  Charge: ChargeNode;
  Mutation: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
  ApiKey: ApiKeyNode;
  ApiKeyPage: Omit<ApiKeyPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['ApiKey']>, edges: ReadonlyArray<ResolversParentTypes['ApiKeyEdge']> };
  CreatedApiKey: CreatedApiKey;
  CreateApiKeyInput: CreateApiKeyInput;
  App: AppNode;
  AppCertificate: AppCertificate;
  AppPage: Omit<AppPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['App']>, edges: ReadonlyArray<ResolversParentTypes['AppEdge']> };
  CreatedApp: CreatedApp;
  CreatedAppSecret: CreatedAppSecret;
  AppCertificateInput: AppCertificateInput;
  CreateAppInput: CreateAppInput;
  UpdateAppInput: UpdateAppInput;
  AuditCredentials: AuditCredentials;
  AuditEntry: AuditEntryNode;
  AuditEntryConnection: Omit<AuditEntryConnection, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['AuditEntry']>, edges: ReadonlyArray<ResolversParentTypes['AuditEntryEdge']> };
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  JSON: Scalars['JSON']['output'];
  OffsetPageInfo: OffsetPageInfo;
  PageInfo: PageInfo;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  Refund: RefundNode;
  Money: Money;
  IdempotencyRecord: IdempotencyRecordNode;
  ChargePage: Omit<ChargePage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['Charge']>, edges: ReadonlyArray<ResolversParentTypes['ChargeEdge']> };
  MoneyInput: MoneyInput;
  CreateChargeInput: CreateChargeInput;
  ClientCertificate: ClientCertificateNode;
  ClientCertificateMatch: ClientCertificateMatch;
  ClientCertificatePage: Omit<ClientCertificatePage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['ClientCertificate']>, edges: ReadonlyArray<ResolversParentTypes['ClientCertificateEdge']> };
  ClientCertificateMatchInput: ClientCertificateMatchInput;
  CreateClientCertificateInput: CreateClientCertificateInput;
  Document: DocumentNode;
  Share: ShareNode;
  DocumentPage: Omit<DocumentPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['Document']>, edges: ReadonlyArray<ResolversParentTypes['DocumentEdge']> };
  User: UserNode;
  CreateDocumentInput: CreateDocumentInput;
  UpdateDocumentInput: UpdateDocumentInput;
  CreateShareInput: CreateShareInput;
  Grant: GrantNode;
  GrantPage: Omit<GrantPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['Grant']>, edges: ReadonlyArray<ResolversParentTypes['GrantEdge']> };
  Installation: InstallationNode;
  InstallationPage: Omit<InstallationPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['Installation']>, edges: ReadonlyArray<ResolversParentTypes['InstallationEdge']> };
  CreateInstallationInput: CreateInstallationInput;
  Invitation: InvitationNode;
  InvitationPage: Omit<InvitationPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['Invitation']>, edges: ReadonlyArray<ResolversParentTypes['InvitationEdge']> };
  ReceivedInvitation: ReceivedInvitation;
  CreateInvitationInput: CreateInvitationInput;
  UserPage: Omit<UserPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['User']>, edges: ReadonlyArray<ResolversParentTypes['UserEdge']> };
  CreateMemberInput: CreateMemberInput;
  UpdateMemberInput: UpdateMemberInput;
  Item: ItemNode;
  OrderPage: Omit<OrderPage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['Order']> };
  OrderConnection: Omit<OrderConnection, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['Order']>, edges: ReadonlyArray<ResolversParentTypes['OrderEdge']> };
  OrderItemInput: OrderItemInput;
  CreateOrderInput: CreateOrderInput;
  UpdateOrderInput: UpdateOrderInput;
  PasswordResetRequest: PasswordResetRequest;
  PaymentEventReceipt: PaymentEventReceiptNode;
  PaymentEventInput: PaymentEventInput;
  Product: ProductNode;
  ProductPage: Omit<ProductPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['Product']>, edges: ReadonlyArray<ResolversParentTypes['ProductEdge']> };
  CreateProductInput: CreateProductInput;
  UpdateProductInput: UpdateProductInput;
  Session: Session;
  ActiveSession: ActiveSessionNode;
  ActiveSessionPage: Omit<ActiveSessionPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['ActiveSession']>, edges: ReadonlyArray<ResolversParentTypes['ActiveSessionEdge']> };
  OperationUse: OperationUseNode;
  OperationUseConnection: Omit<OperationUseConnection, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['OperationUse']>, edges: ReadonlyArray<ResolversParentTypes['OperationUseEdge']> };
  DeprecatedUse: DeprecatedUseNode;
  DeprecatedUseConnection: Omit<DeprecatedUseConnection, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['DeprecatedUse']>, edges: ReadonlyArray<ResolversParentTypes['DeprecatedUseEdge']> };
  UpdateUserInput: UpdateUserInput;
  Webhook: WebhookNode;
  WebhookPage: Omit<WebhookPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['Webhook']>, edges: ReadonlyArray<ResolversParentTypes['WebhookEdge']> };
  CreatedWebhook: CreatedWebhook;
  CreatedWebhookSecret: CreatedWebhookSecret;
  WebhookDelivery: WebhookDeliveryNode;
  WebhookDeliveryPage: Omit<WebhookDeliveryPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['WebhookDelivery']>, edges: ReadonlyArray<ResolversParentTypes['WebhookDeliveryEdge']> };
  WebhookAttempt: WebhookAttemptNode;
  CreateWebhookInput: CreateWebhookInput;
  UpdateWebhookInput: UpdateWebhookInput;
  ActivityEdge: Omit<ActivityEdge, 'node'> & { node: ResolversParentTypes['Activity'] };
  ApiKeyEdge: Omit<ApiKeyEdge, 'node'> & { node: ResolversParentTypes['ApiKey'] };
  AppEdge: Omit<AppEdge, 'node'> & { node: ResolversParentTypes['App'] };
  AuditEntryEdge: Omit<AuditEntryEdge, 'node'> & { node: ResolversParentTypes['AuditEntry'] };
  ChargeEdge: Omit<ChargeEdge, 'node'> & { node: ResolversParentTypes['Charge'] };
  ClientCertificateEdge: Omit<ClientCertificateEdge, 'node'> & { node: ResolversParentTypes['ClientCertificate'] };
  DocumentEdge: Omit<DocumentEdge, 'node'> & { node: ResolversParentTypes['Document'] };
  GrantEdge: Omit<GrantEdge, 'node'> & { node: ResolversParentTypes['Grant'] };
  InstallationEdge: Omit<InstallationEdge, 'node'> & { node: ResolversParentTypes['Installation'] };
  InvitationEdge: Omit<InvitationEdge, 'node'> & { node: ResolversParentTypes['Invitation'] };
  UserEdge: Omit<UserEdge, 'node'> & { node: ResolversParentTypes['User'] };
  OrderEdge: Omit<OrderEdge, 'node'> & { node: ResolversParentTypes['Order'] };
  ProductEdge: Omit<ProductEdge, 'node'> & { node: ResolversParentTypes['Product'] };
  ActiveSessionEdge: Omit<ActiveSessionEdge, 'node'> & { node: ResolversParentTypes['ActiveSession'] };
  OperationUseEdge: Omit<OperationUseEdge, 'node'> & { node: ResolversParentTypes['OperationUse'] };
  DeprecatedUseEdge: Omit<DeprecatedUseEdge, 'node'> & { node: ResolversParentTypes['DeprecatedUse'] };
  WebhookEdge: Omit<WebhookEdge, 'node'> & { node: ResolversParentTypes['Webhook'] };
  WebhookDeliveryEdge: Omit<WebhookDeliveryEdge, 'node'> & { node: ResolversParentTypes['WebhookDelivery'] };
  String: Scalars['String']['output'];
  Int: Scalars['Int']['output'];
  Boolean: Scalars['Boolean']['output'];
};

export type AuthDirectiveArgs = {
  scope?: Maybe<Scalars['String']['input']>;
  role?: Maybe<Role>;
};

export type AuthDirectiveResolver<Result, Parent, ContextType = Context, Args = AuthDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type PublicDirectiveArgs = { };

export type PublicDirectiveResolver<Result, Parent, ContextType = Context, Args = PublicDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type OnceDirectiveArgs = { };

export type OnceDirectiveResolver<Result, Parent, ContextType = Context, Args = OnceDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type CostDirectiveArgs = {
  weight: Scalars['String']['input'];
};

export type CostDirectiveResolver<Result, Parent, ContextType = Context, Args = CostDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ListSizeDirectiveArgs = {
  assumedSize?: Maybe<Scalars['Int']['input']>;
  slicingArguments?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  sizedFields?: Maybe<ReadonlyArray<Scalars['String']['input']>>;
  requireOneSlicingArgument?: Scalars['Boolean']['input'];
};

export type ListSizeDirectiveResolver<Result, Parent, ContextType = Context, Args = ListSizeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type IdempotentDirectiveArgs = {
  required?: Scalars['Boolean']['input'];
};

export type IdempotentDirectiveResolver<Result, Parent, ContextType = Context, Args = IdempotentDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ConstraintDirectiveArgs = {
  min?: Maybe<Scalars['Int']['input']>;
  max?: Maybe<Scalars['Int']['input']>;
  minLength?: Maybe<Scalars['Int']['input']>;
  maxLength?: Maybe<Scalars['Int']['input']>;
  line?: Maybe<Scalars['Boolean']['input']>;
  maxItems?: Maybe<Scalars['Int']['input']>;
  notNull?: Maybe<Scalars['Boolean']['input']>;
};

export type ConstraintDirectiveResolver<Result, Parent, ContextType = Context, Args = ConstraintDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AcceptsDirectiveArgs = {
  minItems?: Maybe<Scalars['Int']['input']>;
  above?: Maybe<Scalars['Int']['input']>;
  format?: Maybe<Scalars['String']['input']>;
  values?: Maybe<Scalars['String']['input']>;
};

export type AcceptsDirectiveResolver<Result, Parent, ContextType = Context, Args = AcceptsDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type SunsetDirectiveArgs = {
  since: Scalars['String']['input'];
  on?: Maybe<Scalars['String']['input']>;
  successor?: Maybe<Scalars['String']['input']>;
};

export type SunsetDirectiveResolver<Result, Parent, ContextType = Context, Args = SunsetDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type SecretDirectiveArgs = { };

export type SecretDirectiveResolver<Result, Parent, ContextType = Context, Args = SecretDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ErrorsDirectiveArgs = {
  codes: ReadonlyArray<Scalars['String']['input']>;
};

export type ErrorsDirectiveResolver<Result, Parent, ContextType = Context, Args = ErrorsDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ExampleDirectiveArgs = {
  value?: Maybe<Scalars['JSON']['input']>;
};

export type ExampleDirectiveResolver<Result, Parent, ContextType = Context, Args = ExampleDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type SharedDirectiveArgs = { };

export type SharedDirectiveResolver<Result, Parent, ContextType = Context, Args = SharedDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type ActorResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Actor'] = ResolversParentTypes['Actor']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ActivityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Activity'] = ResolversParentTypes['Activity']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  actor?: Resolver<Maybe<ResolversTypes['Actor']>, ParentType, ContextType>;
  subjectType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subjectId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  subject?: Resolver<ResolversTypes['Subject'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  deliveries?: Resolver<ReadonlyArray<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SubjectResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subject'] = ResolversParentTypes['Subject']> = {
  __resolveType?: TypeResolveFn<null, ParentType, ContextType>;
};

export type ActivityPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ActivityPage'] = ResolversParentTypes['ActivityPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Activity']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ActivityEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  event?: Resolver<Maybe<ResolversTypes['Activity']>, ParentType, ContextType, RequireFields<QueryEventArgs, 'id'>>;
  feed?: Resolver<ResolversTypes['ActivityPage'], ParentType, ContextType, RequireFields<QueryFeedArgs, 'first'>>;
  apiKey?: Resolver<Maybe<ResolversTypes['ApiKey']>, ParentType, ContextType, RequireFields<QueryApiKeyArgs, 'id'>>;
  apiKeys?: Resolver<ResolversTypes['ApiKeyPage'], ParentType, ContextType, RequireFields<QueryApiKeysArgs, 'first'>>;
  app?: Resolver<Maybe<ResolversTypes['App']>, ParentType, ContextType, RequireFields<QueryAppArgs, 'id'>>;
  apps?: Resolver<ResolversTypes['AppPage'], ParentType, ContextType, RequireFields<QueryAppsArgs, 'first'>>;
  auditLog?: Resolver<ResolversTypes['AuditEntryConnection'], ParentType, ContextType, RequireFields<QueryAuditLogArgs, 'first'>>;
  node?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  charge?: Resolver<Maybe<ResolversTypes['Charge']>, ParentType, ContextType, RequireFields<QueryChargeArgs, 'id'>>;
  charges?: Resolver<ResolversTypes['ChargePage'], ParentType, ContextType, RequireFields<QueryChargesArgs, 'first'>>;
  clientCertificate?: Resolver<Maybe<ResolversTypes['ClientCertificate']>, ParentType, ContextType, RequireFields<QueryClientCertificateArgs, 'id'>>;
  clientCertificates?: Resolver<ResolversTypes['ClientCertificatePage'], ParentType, ContextType, RequireFields<QueryClientCertificatesArgs, 'first'>>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType, RequireFields<QueryDocumentArgs, 'org' | 'id'>>;
  documents?: Resolver<ResolversTypes['DocumentPage'], ParentType, ContextType, RequireFields<QueryDocumentsArgs, 'org' | 'first'>>;
  share?: Resolver<Maybe<ResolversTypes['Share']>, ParentType, ContextType, RequireFields<QueryShareArgs, 'org' | 'documentId' | 'userId'>>;
  grants?: Resolver<ResolversTypes['GrantPage'], ParentType, ContextType, RequireFields<QueryGrantsArgs, 'all' | 'first'>>;
  installation?: Resolver<Maybe<ResolversTypes['Installation']>, ParentType, ContextType, RequireFields<QueryInstallationArgs, 'id'>>;
  installations?: Resolver<ResolversTypes['InstallationPage'], ParentType, ContextType, RequireFields<QueryInstallationsArgs, 'first'>>;
  invitations?: Resolver<ResolversTypes['InvitationPage'], ParentType, ContextType, RequireFields<QueryInvitationsArgs, 'org' | 'first'>>;
  receivedInvitation?: Resolver<ResolversTypes['ReceivedInvitation'], ParentType, ContextType, RequireFields<QueryReceivedInvitationArgs, 'token'>>;
  members?: Resolver<ResolversTypes['UserPage'], ParentType, ContextType, RequireFields<QueryMembersArgs, 'org' | 'first'>>;
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, RequireFields<QueryOrderArgs, 'id'>>;
  orders?: Resolver<ResolversTypes['OrderPage'], ParentType, ContextType, RequireFields<QueryOrdersArgs, 'userId' | 'sort' | 'page' | 'limit'>>;
  organisationOrders?: Resolver<ResolversTypes['OrderConnection'], ParentType, ContextType, RequireFields<QueryOrganisationOrdersArgs, 'sort' | 'first'>>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType, RequireFields<QueryProductArgs, 'id'>>;
  products?: Resolver<ResolversTypes['ProductPage'], ParentType, ContextType, RequireFields<QueryProductsArgs, 'archived' | 'first'>>;
  sessions?: Resolver<ResolversTypes['ActiveSessionPage'], ParentType, ContextType, RequireFields<QuerySessionsArgs, 'all' | 'first'>>;
  operationUses?: Resolver<ResolversTypes['OperationUseConnection'], ParentType, ContextType, RequireFields<QueryOperationUsesArgs, 'first'>>;
  deprecatedUses?: Resolver<ResolversTypes['DeprecatedUseConnection'], ParentType, ContextType, RequireFields<QueryDeprecatedUsesArgs, 'first'>>;
  me?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType, RequireFields<QueryWebhookArgs, 'id'>>;
  webhooks?: Resolver<ResolversTypes['WebhookPage'], ParentType, ContextType, RequireFields<QueryWebhooksArgs, 'first'>>;
  webhookDeliveries?: Resolver<Maybe<ResolversTypes['WebhookDeliveryPage']>, ParentType, ContextType, RequireFields<QueryWebhookDeliveriesArgs, 'webhookId' | 'first'>>;
};

export type OrderResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Order'] = ResolversParentTypes['Order']> = {
  history?: Resolver<ResolversTypes['ActivityPage'], ParentType, ContextType, RequireFields<OrderHistoryArgs, 'first'>>;
  charges?: Resolver<ReadonlyArray<ResolversTypes['Charge']>, ParentType, ContextType, RequireFields<OrderChargesArgs, 'first'>>;
  paid?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['OrderStatus'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  items?: Resolver<ReadonlyArray<ResolversTypes['Item']>, ParentType, ContextType, Partial<OrderItemsArgs>>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ChargeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Charge'] = ResolversParentTypes['Charge']> = {
  history?: Resolver<ResolversTypes['ActivityPage'], ParentType, ContextType, RequireFields<ChargeHistoryArgs, 'first'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  minorAmount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ChargeStatus'], ParentType, ContextType>;
  amountRefunded?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  refunds?: Resolver<ReadonlyArray<ResolversTypes['Refund']>, ParentType, ContextType, RequireFields<ChargeRefundsArgs, 'first'>>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  failureCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  orderId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  creator?: Resolver<Maybe<ResolversTypes['Actor']>, ParentType, ContextType>;
  idempotency?: Resolver<ReadonlyArray<ResolversTypes['IdempotencyRecord']>, ParentType, ContextType, RequireFields<ChargeIdempotencyArgs, 'first'>>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  markFeedRead?: Resolver<ResolversTypes['User'], ParentType, ContextType, Partial<MutationMarkFeedReadArgs>>;
  createApiKey?: Resolver<ResolversTypes['CreatedApiKey'], ParentType, ContextType, RequireFields<MutationCreateApiKeyArgs, 'input'>>;
  revokeApiKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationRevokeApiKeyArgs, 'id'>>;
  createApp?: Resolver<ResolversTypes['CreatedApp'], ParentType, ContextType, RequireFields<MutationCreateAppArgs, 'input'>>;
  updateApp?: Resolver<ResolversTypes['App'], ParentType, ContextType, RequireFields<MutationUpdateAppArgs, 'id' | 'input'>>;
  deleteApp?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteAppArgs, 'id'>>;
  createAppSecret?: Resolver<ResolversTypes['CreatedAppSecret'], ParentType, ContextType, RequireFields<MutationCreateAppSecretArgs, 'appId'>>;
  createCharge?: Resolver<ResolversTypes['Charge'], ParentType, ContextType, RequireFields<MutationCreateChargeArgs, 'input'>>;
  refundCharge?: Resolver<ResolversTypes['Charge'], ParentType, ContextType, RequireFields<MutationRefundChargeArgs, 'id'>>;
  createClientCertificate?: Resolver<ResolversTypes['ClientCertificate'], ParentType, ContextType, RequireFields<MutationCreateClientCertificateArgs, 'input'>>;
  revokeClientCertificate?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationRevokeClientCertificateArgs, 'id'>>;
  createDocument?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationCreateDocumentArgs, 'org' | 'input'>>;
  updateDocument?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationUpdateDocumentArgs, 'org' | 'id' | 'input'>>;
  deleteDocument?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteDocumentArgs, 'org' | 'id'>>;
  createShare?: Resolver<ResolversTypes['Share'], ParentType, ContextType, RequireFields<MutationCreateShareArgs, 'org' | 'documentId' | 'input'>>;
  deleteShare?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteShareArgs, 'org' | 'documentId' | 'userId'>>;
  revokeGrant?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationRevokeGrantArgs, 'id'>>;
  createInstallation?: Resolver<ResolversTypes['Installation'], ParentType, ContextType, RequireFields<MutationCreateInstallationArgs, 'input'>>;
  deleteInstallation?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteInstallationArgs, 'id'>>;
  createInvitation?: Resolver<ResolversTypes['Invitation'], ParentType, ContextType, RequireFields<MutationCreateInvitationArgs, 'org' | 'input'>>;
  revokeInvitation?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationRevokeInvitationArgs, 'org' | 'id'>>;
  acceptInvitation?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationAcceptInvitationArgs, 'token' | 'name' | 'password'>>;
  createMember?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationCreateMemberArgs, 'org' | 'input'>>;
  updateMember?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationUpdateMemberArgs, 'org' | 'userId' | 'input'>>;
  deleteMember?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteMemberArgs, 'org' | 'userId'>>;
  createOrder?: Resolver<ResolversTypes['Order'], ParentType, ContextType, RequireFields<MutationCreateOrderArgs, 'input'>>;
  updateOrder?: Resolver<ResolversTypes['Order'], ParentType, ContextType, RequireFields<MutationUpdateOrderArgs, 'id' | 'input'>>;
  deleteOrder?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteOrderArgs, 'id'>>;
  requestPasswordReset?: Resolver<ResolversTypes['PasswordResetRequest'], ParentType, ContextType, RequireFields<MutationRequestPasswordResetArgs, 'email'>>;
  resetPassword?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationResetPasswordArgs, 'token' | 'password'>>;
  recordPaymentEvent?: Resolver<ResolversTypes['PaymentEventReceipt'], ParentType, ContextType, RequireFields<MutationRecordPaymentEventArgs, 'input'>>;
  recordStripeEvent?: Resolver<ResolversTypes['PaymentEventReceipt'], ParentType, ContextType, RequireFields<MutationRecordStripeEventArgs, 'event'>>;
  createProduct?: Resolver<ResolversTypes['Product'], ParentType, ContextType, RequireFields<MutationCreateProductArgs, 'input'>>;
  updateProduct?: Resolver<ResolversTypes['Product'], ParentType, ContextType, RequireFields<MutationUpdateProductArgs, 'id' | 'input'>>;
  archiveProduct?: Resolver<ResolversTypes['Product'], ParentType, ContextType, RequireFields<MutationArchiveProductArgs, 'id'>>;
  endSession?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationEndSessionArgs, 'id'>>;
  login?: Resolver<Maybe<ResolversTypes['Session']>, ParentType, ContextType, RequireFields<MutationLoginArgs, 'email' | 'password'>>;
  refreshSession?: Resolver<ResolversTypes['Session'], ParentType, ContextType, RequireFields<MutationRefreshSessionArgs, 'refreshToken'>>;
  logout?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationLogoutArgs, 'refreshToken'>>;
  updateUser?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationUpdateUserArgs, 'id' | 'input'>>;
  changePassword?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationChangePasswordArgs, 'userId' | 'currentPassword' | 'newPassword'>>;
  createWebhook?: Resolver<ResolversTypes['CreatedWebhook'], ParentType, ContextType, RequireFields<MutationCreateWebhookArgs, 'input'>>;
  updateWebhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType, RequireFields<MutationUpdateWebhookArgs, 'id' | 'input'>>;
  deleteWebhook?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteWebhookArgs, 'id'>>;
  createWebhookSecret?: Resolver<ResolversTypes['CreatedWebhookSecret'], ParentType, ContextType, RequireFields<MutationCreateWebhookSecretArgs, 'webhookId'>>;
  createWebhookAttempt?: Resolver<ResolversTypes['WebhookAttempt'], ParentType, ContextType, RequireFields<MutationCreateWebhookAttemptArgs, 'webhookId' | 'deliveryId'>>;
  createWebhookTest?: Resolver<ResolversTypes['Activity'], ParentType, ContextType, RequireFields<MutationCreateWebhookTestArgs, 'webhookId'>>;
};

export type SubscriptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  activity?: SubscriptionResolver<ResolversTypes['Activity'], "activity", ParentType, ContextType, Partial<SubscriptionActivityArgs>>;
  orderChanged?: SubscriptionResolver<Maybe<ResolversTypes['Order']>, "orderChanged", ParentType, ContextType, RequireFields<SubscriptionOrderChangedArgs, 'id'>>;
};

export type ApiKeyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiKey'] = ResolversParentTypes['ApiKey']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  prefix?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  ownerId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  owner?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ApiKeyPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiKeyPage'] = ResolversParentTypes['ApiKeyPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ApiKey']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ApiKeyEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CreatedApiKeyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreatedApiKey'] = ResolversParentTypes['CreatedApiKey']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type AppResolvers<ContextType = Context, ParentType extends ResolversParentTypes['App'] = ResolversParentTypes['App']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  clientId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['AppType'], ParentType, ContextType>;
  redirectUris?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  tokenFormat?: Resolver<ResolversTypes['TokenFormat'], ParentType, ContextType>;
  homepageUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  jwks?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  certificate?: Resolver<Maybe<ResolversTypes['AppCertificate']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AppCertificateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AppCertificate'] = ResolversParentTypes['AppCertificate']> = {
  sanUri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sanDns?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type AppPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AppPage'] = ResolversParentTypes['AppPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['App']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['AppEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CreatedAppResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreatedApp'] = ResolversParentTypes['CreatedApp']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  clientId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  clientSecret?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['AppType'], ParentType, ContextType>;
  redirectUris?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  tokenFormat?: Resolver<ResolversTypes['TokenFormat'], ParentType, ContextType>;
  homepageUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CreatedAppSecretResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreatedAppSecret'] = ResolversParentTypes['CreatedAppSecret']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  clientId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  clientSecret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AuditCredentialsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AuditCredentials'] = ResolversParentTypes['AuditCredentials']> = {
  kind?: Resolver<ResolversTypes['CredentialKind'], ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type AuditEntryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AuditEntry'] = ResolversParentTypes['AuditEntry']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  actorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  actor?: Resolver<Maybe<ResolversTypes['Actor']>, ParentType, ContextType>;
  credentials?: Resolver<Maybe<ResolversTypes['AuditCredentials']>, ParentType, ContextType>;
  address?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  subjectType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subjectId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  occurrences?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type AuditEntryConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AuditEntryConnection'] = ResolversParentTypes['AuditEntryConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['AuditEntry']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['AuditEntryEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface DecimalScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Decimal'], any> {
  name: 'Decimal';
}

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type OffsetPageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OffsetPageInfo'] = ResolversParentTypes['OffsetPageInfo']> = {
  page?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  nextPage?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type NodeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType?: TypeResolveFn<'Activity' | 'Order' | 'Charge' | 'ApiKey' | 'App' | 'ClientCertificate' | 'Document' | 'User' | 'Installation' | 'Product' | 'Webhook', ParentType, ContextType>;
};

export type RefundResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Refund'] = ResolversParentTypes['Refund']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  chargeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['RefundStatus'], ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MoneyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  value?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type IdempotencyRecordResolvers<ContextType = Context, ParentType extends ResolversParentTypes['IdempotencyRecord'] = ResolversParentTypes['IdempotencyRecord']> = {
  mutation?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['IdempotencyStatus'], ParentType, ContextType>;
  attempts?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ChargePageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChargePage'] = ResolversParentTypes['ChargePage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Charge']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ChargeEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ClientCertificateResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ClientCertificate'] = ResolversParentTypes['ClientCertificate']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  match?: Resolver<ResolversTypes['ClientCertificateMatch'], ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  ownerId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  owner?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ClientCertificateMatchResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ClientCertificateMatch'] = ResolversParentTypes['ClientCertificateMatch']> = {
  thumbprint?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sanUri?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sanDns?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ClientCertificatePageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ClientCertificatePage'] = ResolversParentTypes['ClientCertificatePage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ClientCertificate']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ClientCertificateEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DocumentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Document'] = ResolversParentTypes['Document']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  org?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  body?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  classification?: Resolver<ResolversTypes['Classification'], ParentType, ContextType>;
  authorId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  author?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  shares?: Resolver<ReadonlyArray<ResolversTypes['Share']>, ParentType, ContextType>;
  history?: Resolver<ResolversTypes['ActivityPage'], ParentType, ContextType, RequireFields<DocumentHistoryArgs, 'first'>>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ShareResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Share'] = ResolversParentTypes['Share']> = {
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  relation?: Resolver<ResolversTypes['ShareRelation'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type DocumentPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DocumentPage'] = ResolversParentTypes['DocumentPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Document']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['DocumentEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type UserResolvers<ContextType = Context, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  documents?: Resolver<ReadonlyArray<ResolversTypes['Document']>, ParentType, ContextType, Partial<UserDocumentsArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  org?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['MemberKind'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  avatarUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  unreadNotifications?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  orders?: Resolver<ReadonlyArray<ResolversTypes['Order']>, ParentType, ContextType, Partial<UserOrdersArgs>>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  removedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type GrantResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Grant'] = ResolversParentTypes['Grant']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  clientId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  appName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type GrantPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['GrantPage'] = ResolversParentTypes['GrantPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Grant']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['GrantEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type InstallationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Installation'] = ResolversParentTypes['Installation']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  clientId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  publisher?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  homepageUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type InstallationPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['InstallationPage'] = ResolversParentTypes['InstallationPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Installation']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['InstallationEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type InvitationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Invitation'] = ResolversParentTypes['Invitation']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  org?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['InvitationStatus'], ParentType, ContextType>;
  invitedById?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type InvitationPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['InvitationPage'] = ResolversParentTypes['InvitationPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Invitation']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['InvitationEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ReceivedInvitationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ReceivedInvitation'] = ResolversParentTypes['ReceivedInvitation']> = {
  organisation?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  inviter?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type UserPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UserPage'] = ResolversParentTypes['UserPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['User']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['UserEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ItemResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Item'] = ResolversParentTypes['Item']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  productId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  product?: Resolver<ResolversTypes['Product'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  qty?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  unitPrice?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  thumbnailUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type OrderPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OrderPage'] = ResolversParentTypes['OrderPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Order']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['OffsetPageInfo'], ParentType, ContextType>;
};

export type OrderConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OrderConnection'] = ResolversParentTypes['OrderConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Order']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['OrderEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PasswordResetRequestResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PasswordResetRequest'] = ResolversParentTypes['PasswordResetRequest']> = {
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresIn?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PaymentEventReceiptResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PaymentEventReceipt'] = ResolversParentTypes['PaymentEventReceipt']> = {
  applied?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  charge?: Resolver<Maybe<ResolversTypes['Charge']>, ParentType, ContextType>;
};

export type ProductResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Product'] = ResolversParentTypes['Product']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  unitPrice?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  thumbnailUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  archivedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ProductPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductPage'] = ResolversParentTypes['ProductPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Product']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ProductEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type SessionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Session'] = ResolversParentTypes['Session']> = {
  accessToken?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  refreshToken?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  deviceToken?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tokenType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresIn?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ActiveSessionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ActiveSession'] = ResolversParentTypes['ActiveSession']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  address?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  current?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ActiveSessionPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ActiveSessionPage'] = ResolversParentTypes['ActiveSessionPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ActiveSession']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['ActiveSessionEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type OperationUseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OperationUse'] = ResolversParentTypes['OperationUse']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  day?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  door?: Resolver<ResolversTypes['Door'], ParentType, ContextType>;
  operation?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  errors?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
};

export type OperationUseConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OperationUseConnection'] = ResolversParentTypes['OperationUseConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['OperationUse']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['OperationUseEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DeprecatedUseResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeprecatedUse'] = ResolversParentTypes['DeprecatedUse']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  day?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actorId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  actor?: Resolver<Maybe<ResolversTypes['Actor']>, ParentType, ContextType>;
  credentials?: Resolver<ResolversTypes['AuditCredentials'], ParentType, ContextType>;
  uses?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lastUsedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type DeprecatedUseConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeprecatedUseConnection'] = ResolversParentTypes['DeprecatedUseConnection']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['DeprecatedUse']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['DeprecatedUseEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  types?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  enabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  disabledReason?: Resolver<Maybe<ResolversTypes['WebhookDisabledReason']>, ParentType, ContextType>;
  disabledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  formerSecretUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type WebhookPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookPage'] = ResolversParentTypes['WebhookPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Webhook']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['WebhookEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CreatedWebhookResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreatedWebhook'] = ResolversParentTypes['CreatedWebhook']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  types?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreatedWebhookSecretResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreatedWebhookSecret'] = ResolversParentTypes['CreatedWebhookSecret']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  formerSecretUntil?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  messageId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  webhookId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  eventId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WebhookDeliveryStatus'], ParentType, ContextType>;
  attempts?: Resolver<ReadonlyArray<ResolversTypes['WebhookAttempt']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type WebhookDeliveryPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDeliveryPage'] = ResolversParentTypes['WebhookDeliveryPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['WebhookDeliveryEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookAttemptResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookAttempt'] = ResolversParentTypes['WebhookAttempt']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  number?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  trigger?: Resolver<ResolversTypes['WebhookAttemptTrigger'], ParentType, ContextType>;
  dueAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  durationMs?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  status?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['WebhookAttemptError']>, ParentType, ContextType>;
  answer?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ActivityEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ActivityEdge'] = ResolversParentTypes['ActivityEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Activity'], ParentType, ContextType>;
};

export type ApiKeyEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiKeyEdge'] = ResolversParentTypes['ApiKeyEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType>;
};

export type AppEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AppEdge'] = ResolversParentTypes['AppEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['App'], ParentType, ContextType>;
};

export type AuditEntryEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AuditEntryEdge'] = ResolversParentTypes['AuditEntryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['AuditEntry'], ParentType, ContextType>;
};

export type ChargeEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChargeEdge'] = ResolversParentTypes['ChargeEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Charge'], ParentType, ContextType>;
};

export type ClientCertificateEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ClientCertificateEdge'] = ResolversParentTypes['ClientCertificateEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ClientCertificate'], ParentType, ContextType>;
};

export type DocumentEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DocumentEdge'] = ResolversParentTypes['DocumentEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Document'], ParentType, ContextType>;
};

export type GrantEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['GrantEdge'] = ResolversParentTypes['GrantEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Grant'], ParentType, ContextType>;
};

export type InstallationEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['InstallationEdge'] = ResolversParentTypes['InstallationEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Installation'], ParentType, ContextType>;
};

export type InvitationEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['InvitationEdge'] = ResolversParentTypes['InvitationEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Invitation'], ParentType, ContextType>;
};

export type UserEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UserEdge'] = ResolversParentTypes['UserEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type OrderEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OrderEdge'] = ResolversParentTypes['OrderEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Order'], ParentType, ContextType>;
};

export type ProductEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductEdge'] = ResolversParentTypes['ProductEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Product'], ParentType, ContextType>;
};

export type ActiveSessionEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ActiveSessionEdge'] = ResolversParentTypes['ActiveSessionEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ActiveSession'], ParentType, ContextType>;
};

export type OperationUseEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OperationUseEdge'] = ResolversParentTypes['OperationUseEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['OperationUse'], ParentType, ContextType>;
};

export type DeprecatedUseEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DeprecatedUseEdge'] = ResolversParentTypes['DeprecatedUseEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['DeprecatedUse'], ParentType, ContextType>;
};

export type WebhookEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookEdge'] = ResolversParentTypes['WebhookEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
};

export type WebhookDeliveryEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDeliveryEdge'] = ResolversParentTypes['WebhookDeliveryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  Actor?: ActorResolvers<ContextType>;
  Activity?: ActivityResolvers<ContextType>;
  Subject?: SubjectResolvers<ContextType>;
  ActivityPage?: ActivityPageResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Order?: OrderResolvers<ContextType>;
  Charge?: ChargeResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  ApiKey?: ApiKeyResolvers<ContextType>;
  ApiKeyPage?: ApiKeyPageResolvers<ContextType>;
  CreatedApiKey?: CreatedApiKeyResolvers<ContextType>;
  App?: AppResolvers<ContextType>;
  AppCertificate?: AppCertificateResolvers<ContextType>;
  AppPage?: AppPageResolvers<ContextType>;
  CreatedApp?: CreatedAppResolvers<ContextType>;
  CreatedAppSecret?: CreatedAppSecretResolvers<ContextType>;
  AuditCredentials?: AuditCredentialsResolvers<ContextType>;
  AuditEntry?: AuditEntryResolvers<ContextType>;
  AuditEntryConnection?: AuditEntryConnectionResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  OffsetPageInfo?: OffsetPageInfoResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Node?: NodeResolvers<ContextType>;
  Refund?: RefundResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
  IdempotencyRecord?: IdempotencyRecordResolvers<ContextType>;
  ChargePage?: ChargePageResolvers<ContextType>;
  ClientCertificate?: ClientCertificateResolvers<ContextType>;
  ClientCertificateMatch?: ClientCertificateMatchResolvers<ContextType>;
  ClientCertificatePage?: ClientCertificatePageResolvers<ContextType>;
  Document?: DocumentResolvers<ContextType>;
  Share?: ShareResolvers<ContextType>;
  DocumentPage?: DocumentPageResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  Grant?: GrantResolvers<ContextType>;
  GrantPage?: GrantPageResolvers<ContextType>;
  Installation?: InstallationResolvers<ContextType>;
  InstallationPage?: InstallationPageResolvers<ContextType>;
  Invitation?: InvitationResolvers<ContextType>;
  InvitationPage?: InvitationPageResolvers<ContextType>;
  ReceivedInvitation?: ReceivedInvitationResolvers<ContextType>;
  UserPage?: UserPageResolvers<ContextType>;
  Item?: ItemResolvers<ContextType>;
  OrderPage?: OrderPageResolvers<ContextType>;
  OrderConnection?: OrderConnectionResolvers<ContextType>;
  PasswordResetRequest?: PasswordResetRequestResolvers<ContextType>;
  PaymentEventReceipt?: PaymentEventReceiptResolvers<ContextType>;
  Product?: ProductResolvers<ContextType>;
  ProductPage?: ProductPageResolvers<ContextType>;
  Session?: SessionResolvers<ContextType>;
  ActiveSession?: ActiveSessionResolvers<ContextType>;
  ActiveSessionPage?: ActiveSessionPageResolvers<ContextType>;
  OperationUse?: OperationUseResolvers<ContextType>;
  OperationUseConnection?: OperationUseConnectionResolvers<ContextType>;
  DeprecatedUse?: DeprecatedUseResolvers<ContextType>;
  DeprecatedUseConnection?: DeprecatedUseConnectionResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookPage?: WebhookPageResolvers<ContextType>;
  CreatedWebhook?: CreatedWebhookResolvers<ContextType>;
  CreatedWebhookSecret?: CreatedWebhookSecretResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  WebhookDeliveryPage?: WebhookDeliveryPageResolvers<ContextType>;
  WebhookAttempt?: WebhookAttemptResolvers<ContextType>;
  ActivityEdge?: ActivityEdgeResolvers<ContextType>;
  ApiKeyEdge?: ApiKeyEdgeResolvers<ContextType>;
  AppEdge?: AppEdgeResolvers<ContextType>;
  AuditEntryEdge?: AuditEntryEdgeResolvers<ContextType>;
  ChargeEdge?: ChargeEdgeResolvers<ContextType>;
  ClientCertificateEdge?: ClientCertificateEdgeResolvers<ContextType>;
  DocumentEdge?: DocumentEdgeResolvers<ContextType>;
  GrantEdge?: GrantEdgeResolvers<ContextType>;
  InstallationEdge?: InstallationEdgeResolvers<ContextType>;
  InvitationEdge?: InvitationEdgeResolvers<ContextType>;
  UserEdge?: UserEdgeResolvers<ContextType>;
  OrderEdge?: OrderEdgeResolvers<ContextType>;
  ProductEdge?: ProductEdgeResolvers<ContextType>;
  ActiveSessionEdge?: ActiveSessionEdgeResolvers<ContextType>;
  OperationUseEdge?: OperationUseEdgeResolvers<ContextType>;
  DeprecatedUseEdge?: DeprecatedUseEdgeResolvers<ContextType>;
  WebhookEdge?: WebhookEdgeResolvers<ContextType>;
  WebhookDeliveryEdge?: WebhookDeliveryEdgeResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = Context> = {
  auth?: AuthDirectiveResolver<any, any, ContextType>;
  public?: PublicDirectiveResolver<any, any, ContextType>;
  once?: OnceDirectiveResolver<any, any, ContextType>;
  cost?: CostDirectiveResolver<any, any, ContextType>;
  listSize?: ListSizeDirectiveResolver<any, any, ContextType>;
  idempotent?: IdempotentDirectiveResolver<any, any, ContextType>;
  constraint?: ConstraintDirectiveResolver<any, any, ContextType>;
  accepts?: AcceptsDirectiveResolver<any, any, ContextType>;
  sunset?: SunsetDirectiveResolver<any, any, ContextType>;
  secret?: SecretDirectiveResolver<any, any, ContextType>;
  errors?: ErrorsDirectiveResolver<any, any, ContextType>;
  example?: ExampleDirectiveResolver<any, any, ContextType>;
  shared?: SharedDirectiveResolver<any, any, ContextType>;
};
