import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { ActivityNode } from '../../resolvers/activity/log.ts';
import type { ActorNode, SubjectNode } from '../../resolvers/activity/resolvers.ts';
import type { ApiKeyNode, CreatedApiKeyNode } from '../../resolvers/api-key/resolvers.ts';
import type { AppNode, CreatedAppNode } from '../../resolvers/app/resolvers.ts';
import type { AuditEntryNode, AuditCredentialsNode } from '../../resolvers/audit-log/resolvers.ts';
import type { ChargeNode, RefundNode, IdempotencyRecordNode } from '../../resolvers/charge/resolvers.ts';
import type { ClientCertificateNode } from '../../resolvers/client-certificate/resolvers.ts';
import type { DocumentNode, ShareNode } from '../../resolvers/document/resolvers.ts';
import type { GrantNode } from '../../resolvers/grant/resolvers.ts';
import type { InstallationNode } from '../../resolvers/installation/resolvers.ts';
import type { InvitationNode } from '../../resolvers/invitation/resolvers.ts';
import type { OrderNode } from '../../resolvers/order/loaders.ts';
import type { ItemNode } from '../../resolvers/order/resolvers.ts';
import type { PaymentEventReceiptNode } from '../../resolvers/payment-event/notices.ts';
import type { ProductNode } from '../../resolvers/product/resolvers.ts';
import type { ActiveSessionNode } from '../../resolvers/session/resolvers.ts';
import type { OperationUseNode, DeprecatedUseNode } from '../../resolvers/usage/resolvers.ts';
import type { UserNode } from '../../resolvers/user/resolvers.ts';
import type { WebhookNode, CreatedWebhookNode, CreatedWebhookSecretNode, WebhookDeliveryNode, WebhookAttemptNode } from '../../resolvers/webhook/resolvers.ts';
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
  /** An RFC 3339 timestamp in UTC with milliseconds, in the years 0001 to 9999: `2026-01-31T09:30:00.000Z`. */
  DateTime: { input: Date; output: Date; }
  /** An exact decimal number such as `19.99`, never rounded. */
  Decimal: { input: string; output: number; }
  /** Any JSON value. */
  JSON: { input: unknown; output: unknown; }
};

/** The person who caused an event. Visible to everyone who can see the event. */
export type Actor = {
  /** Identifier of the person. */
  readonly id: Scalars['ID']['output'];
  /** The display name. */
  readonly name: Scalars['String']['output'];
};

/** An event: an entry in the organisation's log. */
export type Activity = Node & {
  /** Identifier. Later events have greater identifiers. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The event type: subject and past participle, such as `document.created`. */
  readonly type: Scalars['String']['output'];
  /**
   * The position of this event in the log. Pass it to `activity(after:)`, `orderChanged(after:)` or `Last-Event-ID` to continue with
   * later events, and to `feed(after:)` or `history(after:)` to continue with earlier ones, with any filter.
   */
  readonly cursor: Scalars['String']['output'];
  /** Identifier of the actor; null if the server caused the event. */
  readonly actorId?: Maybe<Scalars['ID']['output']>;
  /** The actor; null if the server caused the event. */
  readonly actor?: Maybe<Actor>;
  /** The kind of the subject, such as `document`. */
  readonly subjectType: Scalars['String']['output'];
  /** Identifier of the subject, unique within its kind. */
  readonly subjectId: Scalars['ID']['output'];
  /** Type and identifier of the subject as one object. */
  readonly subject: Subject;
  /** Details that depend on the event type. Member names are snake_case, as in REST. */
  readonly data: Scalars['JSON']['output'];
  /** When the event happened. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The deliveries of this event, ordered by webhook. Deliveries to deleted webhooks are not included. */
  readonly deliveries: ReadonlyArray<WebhookDelivery>;
  /** The delivery of this event to a webhook; null if there is none. */
  readonly delivery?: Maybe<WebhookDelivery>;
};


/** An event: an entry in the organisation's log. */
export type ActivityDeliveryArgs = {
  webhookId: Scalars['ID']['input'];
};

/**
 * The subject of an event. Each kind has its own type, such as `OrderSubject`: as for every other object, the type
 * name and the id together identify it.
 */
export type Subject = {
  /** The kind, such as `document`. */
  readonly type: Scalars['String']['output'];
  /** Identifier, unique within its kind. */
  readonly id: Scalars['ID']['output'];
};

/** A page of events, newest first. */
export type ActivityPage = {
  /** The events of this page. */
  readonly nodes: ReadonlyArray<Activity>;
  /** The nodes of this page with their cursors. */
  readonly edges: ReadonlyArray<ActivityEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /**
   * The position up to which this page was searched, usually that of its last event. Pass it as `after` to continue. Null
   * if there was nothing to search.
   */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /**
   * Whether there are more pages. A page searches at most 250 events. If most of them are hidden from the caller, the page may be
   * short or empty although there are more: continue from its cursor.
   */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
  /**
   * The position from which a stream continues the list without a gap. Pass it to `activity(after:)`, `orderChanged(after:)` or
   * `Last-Event-ID`, with any filter. Null if there are newer events on the page before this one, and for an empty history.
   */
  readonly streamCursor?: Maybe<Scalars['String']['output']>;
};

/** Read operations. Fields of `Query` change nothing. */
export type Query = {
  /** One event of your organisation that has not expired and that you may see. */
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
   * Who did what in your organisation, with which credentials and from where, newest first. The log contains every event, including
   * those that require other scopes in the feed, and actions that change no data, such as sign-ins and wrong passwords. Entries are
   * kept as long as events.
   */
  readonly auditLog: AuditEntryConnection;
  /**
   * Returns the object with this `nodeId`. The result and the required rights are those of the `Query` field of the object's type.
   * Null if the value is not a valid `nodeId`.
   */
  readonly node?: Maybe<Node>;
  /** One charge of your organisation. */
  readonly charge?: Maybe<Charge>;
  /**
   * The charges of your organisation, newest first. With `status`, a page examines at most 250 charges: it may be short or empty although
   * there are more, so continue from its cursor.
   */
  readonly charges: ChargePage;
  /** One refund of a charge. */
  readonly refund?: Maybe<Refund>;
  /** The refunds of a charge, newest first, including pending ones. */
  readonly refunds?: Maybe<RefundPage>;
  /** One client certificate of your organisation, including revoked and expired ones. */
  readonly clientCertificate?: Maybe<ClientCertificate>;
  /** The client certificates of your organisation. */
  readonly clientCertificates: ClientCertificatePage;
  /** One document of your organisation. */
  readonly document?: Maybe<Document>;
  /** The documents of your organisation that you may read, oldest first. With `q`, the best match first. */
  readonly documents: DocumentPage;
  /** The share of one person, for callers who may change the document. */
  readonly share?: Maybe<Share>;
  /** One active grant of yours. Those of other people require the role admin and `manage:apps`. */
  readonly grant?: Maybe<Grant>;
  /** Your active grants to apps. */
  readonly grants: GrantPage;
  /** One installation in your organisation. */
  readonly installation?: Maybe<Installation>;
  /** The apps installed in your organisation, at most 200. */
  readonly installations: InstallationPage;
  /** One invitation of your organisation, in any state. */
  readonly invitation?: Maybe<Invitation>;
  /**
   * The invitations of your organisation. With `status`, a page examines at most 250 invitations: it may be short or empty although there
   * are more, so continue from its cursor.
   */
  readonly invitations: InvitationPage;
  /** The invitation for the token of a link. The token of an unknown, used, revoked or expired link is `not_found`. */
  readonly receivedInvitation: ReceivedInvitation;
  /** The active people of your organisation. */
  readonly members: UserPage;
  /** One order of your organisation. */
  readonly order?: Maybe<Order>;
  /**
   * The orders of one person, by page number. A page past the end is empty. A page that starts after more than 10,000 orders is
   * refused with `page_too_deep`: filter by status, reverse the sort order, or read the cursor list of the organisation, filtered by
   * person.
   */
  readonly orders: OrderPage;
  /** The orders of your organisation, as a cursor list. All filters can be combined. */
  readonly organisationOrders: OrderConnection;
  /** One product of your organisation. */
  readonly product?: Maybe<Product>;
  /** The active products of your organisation, or the archived ones, oldest first. With `q`, the best match first. */
  readonly products: ProductPage;
  /** One active session of the caller; administrators with `write:users` can read those of other people. */
  readonly session?: Maybe<ActiveSession>;
  /**
   * Active sessions. By default those of the caller; administrators with `write:users` can list those of another person or of
   * the whole organisation.
   */
  readonly sessions: ActiveSessionPage;
  /**
   * How often your organisation used each operation per day, and at what cost. The counts lag by a few seconds, and are kept as long
   * as events.
   */
  readonly operationUses: OperationUseConnection;
  /**
   * Who in your organisation used deprecated routes and schema elements, per day: what to migrate before removal. The counts lag by
   * a few seconds, and are kept as long as events.
   */
  readonly deprecatedUses: DeprecatedUseConnection;
  /** The calling person or app. */
  readonly me?: Maybe<User>;
  /** One person of your organisation. */
  readonly user?: Maybe<User>;
  /** One webhook of your organisation. */
  readonly webhook?: Maybe<Webhook>;
  /** The webhooks of your organisation, at most 20. */
  readonly webhooks: WebhookPage;
  /** One delivery to a webhook. */
  readonly webhookDelivery?: Maybe<WebhookDelivery>;
  /** The deliveries of a webhook, newest first, including pending ones. */
  readonly webhookDeliveries?: Maybe<WebhookDeliveryPage>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryEventArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryFeedArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  types?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryApiKeyArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryApiKeysArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryAppArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryAppsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
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


/** Read operations. Fields of `Query` change nothing. */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryChargeArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryChargesArgs = {
  orderId?: InputMaybe<Scalars['ID']['input']>;
  status?: InputMaybe<ChargeStatus>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryRefundArgs = {
  chargeId: Scalars['ID']['input'];
  refundId: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryRefundsArgs = {
  chargeId: Scalars['ID']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryClientCertificateArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryClientCertificatesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryDocumentArgs = {
  org: Scalars['String']['input'];
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryDocumentsArgs = {
  org: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  classification?: InputMaybe<Classification>;
  q?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryShareArgs = {
  org: Scalars['String']['input'];
  documentId: Scalars['ID']['input'];
  userId: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryGrantArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryGrantsArgs = {
  all?: InputMaybe<Scalars['Boolean']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryInstallationArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryInstallationsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryInvitationArgs = {
  org: Scalars['String']['input'];
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryInvitationsArgs = {
  org: Scalars['String']['input'];
  status?: InputMaybe<InvitationStatus>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryReceivedInvitationArgs = {
  token: Scalars['String']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryMembersArgs = {
  org: Scalars['String']['input'];
  role?: InputMaybe<Role>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryOrderArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryOrdersArgs = {
  userId: Scalars['ID']['input'];
  status?: InputMaybe<OrderStatus>;
  sort?: InputMaybe<OrderSort>;
  page?: InputMaybe<Scalars['Int']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
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


/** Read operations. Fields of `Query` change nothing. */
export type QueryProductArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryProductsArgs = {
  archived?: InputMaybe<Scalars['Boolean']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  q?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QuerySessionArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QuerySessionsArgs = {
  userId?: InputMaybe<Scalars['ID']['input']>;
  all?: InputMaybe<Scalars['Boolean']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryOperationUsesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryDeprecatedUsesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryUserArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryWebhookArgs = {
  id: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryWebhooksArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryWebhookDeliveryArgs = {
  webhookId: Scalars['ID']['input'];
  deliveryId: Scalars['ID']['input'];
};


/** Read operations. Fields of `Query` change nothing. */
export type QueryWebhookDeliveriesArgs = {
  webhookId: Scalars['ID']['input'];
  status?: InputMaybe<WebhookDeliveryStatus>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};

/** An order placed by a person. */
export type Order = Node & {
  /** The events of the order that you may see, newest first. */
  readonly history: ActivityPage;
  /** Charges for this order, newest first. */
  readonly charges: ReadonlyArray<Charge>;
  /**
   * Whether the order is paid: successful charges in the currency of the order, minus refunds, reach the order total. If there
   * are more than 100 such charges, only the 100 largest are added up.
   */
  readonly paid: Scalars['Boolean']['output'];
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** Identifier of the person who placed the order. */
  readonly userId: Scalars['ID']['output'];
  /** The person who placed the order. */
  readonly user: User;
  /** The state of the order. */
  readonly status: OrderStatus;
  /** The sum of price times quantity over all items, in the major unit of the currency. */
  readonly total: Scalars['Float']['output'];
  /** The currency of all amounts of this order (ISO 4217). */
  readonly currency: Scalars['String']['output'];
  /** The items, at most 100. All of them by default. `first` and `last` cannot be combined. */
  readonly items: ReadonlyArray<Item>;
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When the order was placed. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the order was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};


/** An order placed by a person. */
export type OrderHistoryArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};


/** An order placed by a person. */
export type OrderChargesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** An order placed by a person. */
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
  /** Globally unique identifier of the object, for `node`. Opaque. */
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
  /** The amount refunded so far, at most `amount`. */
  readonly amountRefunded: Money;
  /** The newest refunds, newest first. `Query.refunds` returns all of them, page by page. */
  readonly refunds: ReadonlyArray<Refund>;
  /** The newest refund, whatever its state; in the result of `refundCharge`, the refund that it has made. Null if no refund was requested. */
  readonly refund?: Maybe<Refund>;
  /** The payment source, masked. */
  readonly source: Scalars['String']['output'];
  /** Why the charge failed: the gateway's code, or `not_made` if the gateway never received the charge. Null unless the charge failed. */
  readonly failureCode?: Maybe<Scalars['String']['output']>;
  /** Identifier of the order; null for none. */
  readonly orderId?: Maybe<Scalars['ID']['output']>;
  /** The order; null if there is none or it was deleted. */
  readonly order?: Maybe<Order>;
  /** Identifier of the person who created the charge. */
  readonly userId: Scalars['ID']['output'];
  /** The person or app who created the charge. */
  readonly creator?: Maybe<Actor>;
  /** The idempotency record of the request that created the charge, until the record expires. */
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

/** Write operations. Fields of `Mutation` run one after the other. */
export type Mutation = {
  /**
   * Marks events up to this one as read for the caller. The mark never moves back: an event older than the mark
   * changes nothing.
   */
  readonly markFeedRead: User;
  /** Creates an API key that acts for you. An app cannot create API keys. */
  readonly createApiKey: CreatedApiKey;
  /** Revokes an API key, with immediate effect. Repeating it changes nothing. Returns the key's id. */
  readonly revokeApiKey: Scalars['ID']['output'];
  /** Creates an app and installs it in your organisation with the lowest role that includes its scopes. Apps cannot create apps. */
  readonly createApp: CreatedApp;
  /** Changes an app. New redirect URIs require credentials with all scopes of the app. Apps cannot change apps. */
  readonly updateApp: App;
  /**
   * Deletes an app and uninstalls it everywhere. Its tokens become invalid within a second, and the webhooks are deleted to which it gave
   * their URL. Repeating it changes nothing. Returns the app's id.
   */
  readonly deleteApp: Scalars['ID']['output'];
  /**
   * Creates a new secret for an app. The previous secret stays valid, so that the app can be updated. Older secrets are revoked
   * immediately, and so are the tokens that the app obtained for itself with them. Requires credentials with all scopes of the app.
   */
  readonly createAppSecret: CreatedAppSecret;
  /**
   * Charges a payment source, once per idempotency key. `card_declined` is final and leaves a failed charge. After
   * `payment_gateway_failed` or `payment_gateway_unavailable`, retry the same request with the same key.
   */
  readonly createCharge: Charge;
  /**
   * Refunds a charge, in full or in part. A refund that would exceed the amount left of the charge is refused with
   * `invalid_transition`. After `payment_gateway_failed` or `payment_gateway_unavailable`, retry the same request with the same key.
   */
  readonly refundCharge: Charge;
  /** Registers a client certificate that acts for you. An app cannot register certificates. */
  readonly createClientCertificate: ClientCertificate;
  /** Revokes a client certificate, with immediate effect. Repeating it changes nothing. Returns the certificate's id. */
  readonly revokeClientCertificate: Scalars['ID']['output'];
  /** Creates a document. */
  readonly createDocument: Document;
  /**
   * Changes a document. Requires `write:docs`, or `read:docs` and a share as writer together with a full sign-in: API keys
   * and tokens with narrowed scopes cannot use the share.
   */
  readonly updateDocument: Document;
  /** Deletes a document. Repeating it changes nothing. Returns the document's id. */
  readonly deleteDocument: Scalars['ID']['output'];
  /**
   * Shares a document with a person, or changes the relation of an existing share. Requires `write:docs`, and access to the document
   * that does not come from a share.
   */
  readonly createShare: Share;
  /**
   * Removes the share of a person. Requires the same rights as creating one. Repeating it changes nothing. Returns
   * the person's id.
   */
  readonly deleteShare: Scalars['ID']['output'];
  /**
   * Revokes a grant. The app's tokens for the person become invalid within a second. People can revoke their own grants with a full
   * sign-in; administrators with `manage:apps` can revoke any. Repeating it changes nothing. Returns the grant's id.
   */
  readonly revokeGrant: Scalars['ID']['output'];
  /** Installs an app in your organisation. An app that is already installed is a `conflict`. Apps cannot install apps. */
  readonly createInstallation: Installation;
  /**
   * Uninstalls an app. Its tokens and all grants to it in your organisation become invalid within a second, and the webhooks are deleted
   * to which it gave their URL. Repeating it changes nothing. Returns the installation's id.
   */
  readonly deleteInstallation: Scalars['ID']['output'];
  /**
   * Invites a person by mail. The link works once, for 7 days, while the person who sent it is still an administrator. The response
   * does not reveal whether the address has an account in another organisation. An address that already belongs to the organisation
   * or has an open invitation is a `conflict`. By default, at most 5 messages an hour are sent to one address.
   */
  readonly createInvitation: Invitation;
  /** Revokes an invitation. Repeating it changes nothing. An accepted invitation is a `conflict`. Returns the invitation's id. */
  readonly revokeInvitation: Scalars['ID']['output'];
  /** Accepts an invitation with the token of its link and creates the account. An address that already has an account is a `conflict`. */
  readonly acceptInvitation: User;
  /** Creates an account. An email address that is already taken is a `conflict`. */
  readonly createMember: User;
  /**
   * Changes the role of a person and ends their sessions: the next refresh is refused, and access tokens
   * are limited to the new role within a second. Demoting the last administrator is a `conflict`.
   */
  readonly updateMember: User;
  /**
   * Removes a person from the organisation, with their sessions, grants and shares, and revokes the open invitations that they have
   * sent. Orders, documents, charges and past events keep the person's name; the rest of the account is erased. API keys and
   * certificates of the person become invalid. Removing the last administrator is a `conflict`. Repeating it changes nothing.
   * Returns the person's id.
   */
  readonly deleteMember: Scalars['ID']['output'];
  /** Creates a pending order at current prices. */
  readonly createOrder: Order;
  /** Changes a pending order: cancels it, ships it, or replaces its items. */
  readonly updateOrder: Order;
  /** Deletes an order in any state. Repeating it changes nothing. Returns the order's id. */
  readonly deleteOrder: Scalars['ID']['output'];
  /**
   * Sends a link to set a new password to an email address, if it has an account. Neither the response nor its timing reveals
   * whether it has one. The link works once, for an hour. By default, at most 5 messages an hour are sent to one address.
   */
  readonly requestPasswordReset: PasswordResetRequest;
  /** Sets a new password with the token of a link and ends all sessions of the person. */
  readonly resetPassword: Scalars['Boolean']['output'];
  /**
   * Applies a message from the payment provider about a charge. Only messages that the provider signed and sent to the REST route are
   * accepted.
   */
  readonly recordPaymentEvent: PaymentEventReceipt;
  /**
   * Applies a Stripe event about a charge. Only events that Stripe signed and sent to the REST route are accepted. Events about
   * payments, charges and refunds are applied; all others change nothing.
   */
  readonly recordStripeEvent: PaymentEventReceipt;
  /** Adds a product. */
  readonly createProduct: Product;
  /** Changes the name or the price of a product, archives it, or makes it available again. */
  readonly updateProduct: Product;
  /**
   * Archives a product. It can no longer be ordered, and is listed only with `archived`. Existing orders keep it. Repeating it
   * changes nothing.
   */
  readonly archiveProduct: Product;
  /**
   * Ends a session: the next refresh is refused, and its access tokens are refused within a second. A browser must sign in
   * before it lets the next app act for the person; the grants of apps remain. People can end their own sessions with a full sign-in;
   * administrators with `write:users` can end any. Repeating it changes nothing. Returns the session's id.
   */
  readonly endSession: Scalars['ID']['output'];
  /** Signs in with an email address and a password. An unknown address and a wrong password get the same response. */
  readonly login?: Maybe<Session>;
  /**
   * Exchanges a refresh token for the next pair. Each refresh token can be used once. Using it again ends
   * the session, since the token may have leaked.
   */
  readonly refreshSession: Session;
  /** Ends the session of a refresh token. Its access tokens are refused within a second. */
  readonly logout: Scalars['Boolean']['output'];
  /**
   * Changes a person's account. People can change their own with a full sign-in; administrators with `write:users` can change
   * any. Renaming the member of an app is a `conflict`.
   */
  readonly updateUser: User;
  /**
   * Changes the caller's own password and ends their other sessions. Requires a full sign-in, without narrowed scopes. Wrong current
   * passwords count as failed sign-ins. The new password must not be one of the 10,000 most common passwords, nor contain the email
   * address or the name of the person.
   */
  readonly changePassword: Scalars['Boolean']['output'];
  /**
   * Creates a webhook. It receives new events, as far as administrators may see them. Requires `read:feed` and the scopes of its event
   * types.
   */
  readonly createWebhook: CreatedWebhook;
  /**
   * Changes a webhook. Adding event types requires `read:feed` and their scopes; a new URL requires those of all its event types, and of
   * its pending messages and redeliveries.
   */
  readonly updateWebhook: Webhook;
  /** Deletes a webhook and stops its messages. Repeating it changes nothing. Returns the webhook's id. */
  readonly deleteWebhook: Scalars['ID']['output'];
  /**
   * Replaces the signing secret of a webhook. For one day, messages have two signatures, one with the new and one with the previous
   * secret, so that receivers can be updated. A second replacement within that day ends the oldest of
   * the three secrets at once.
   */
  readonly createWebhookSecret: CreatedWebhookSecret;
  /**
   * Delivers a message again, now and with the same `webhook-id`. A scheduled attempt is brought forward. After the last scheduled
   * attempt, one additional attempt is made. Requires `read:feed` and the scope of the event type.
   */
  readonly createWebhookAttempt: WebhookAttempt;
  /**
   * Sends a test event to one webhook, whatever event types it receives: `webhook.tested`, signed and retried like any other event.
   * Returns the event.
   */
  readonly createWebhookTest: Activity;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationMarkFeedReadArgs = {
  eventId?: InputMaybe<Scalars['ID']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateApiKeyArgs = {
  input: CreateApiKeyInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationRevokeApiKeyArgs = {
  id: Scalars['ID']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateAppArgs = {
  input: CreateAppInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationUpdateAppArgs = {
  id: Scalars['ID']['input'];
  input: UpdateAppInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationDeleteAppArgs = {
  id: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateAppSecretArgs = {
  appId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateChargeArgs = {
  input: CreateChargeInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationRefundChargeArgs = {
  id: Scalars['ID']['input'];
  amount?: InputMaybe<MoneyInput>;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateClientCertificateArgs = {
  input: CreateClientCertificateInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationRevokeClientCertificateArgs = {
  id: Scalars['ID']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateDocumentArgs = {
  org: Scalars['String']['input'];
  input: CreateDocumentInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationUpdateDocumentArgs = {
  org: Scalars['String']['input'];
  id: Scalars['ID']['input'];
  input: UpdateDocumentInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationDeleteDocumentArgs = {
  org: Scalars['String']['input'];
  id: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateShareArgs = {
  org: Scalars['String']['input'];
  documentId: Scalars['ID']['input'];
  input: CreateShareInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationDeleteShareArgs = {
  org: Scalars['String']['input'];
  documentId: Scalars['ID']['input'];
  userId: Scalars['ID']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationRevokeGrantArgs = {
  id: Scalars['ID']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateInstallationArgs = {
  input: CreateInstallationInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationDeleteInstallationArgs = {
  id: Scalars['ID']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateInvitationArgs = {
  org: Scalars['String']['input'];
  input: CreateInvitationInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationRevokeInvitationArgs = {
  org: Scalars['String']['input'];
  id: Scalars['ID']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationAcceptInvitationArgs = {
  token: Scalars['String']['input'];
  name: Scalars['String']['input'];
  password: Scalars['String']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateMemberArgs = {
  org: Scalars['String']['input'];
  input: CreateMemberInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationUpdateMemberArgs = {
  org: Scalars['String']['input'];
  userId: Scalars['ID']['input'];
  input: UpdateMemberInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationDeleteMemberArgs = {
  org: Scalars['String']['input'];
  userId: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateOrderArgs = {
  input: CreateOrderInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationUpdateOrderArgs = {
  id: Scalars['ID']['input'];
  input: UpdateOrderInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationDeleteOrderArgs = {
  id: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationRequestPasswordResetArgs = {
  email: Scalars['String']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationResetPasswordArgs = {
  token: Scalars['String']['input'];
  password: Scalars['String']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationRecordPaymentEventArgs = {
  input: PaymentEventInput;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationRecordStripeEventArgs = {
  event: Scalars['JSON']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateProductArgs = {
  input: CreateProductInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationUpdateProductArgs = {
  id: Scalars['ID']['input'];
  input: UpdateProductInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationArchiveProductArgs = {
  id: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationEndSessionArgs = {
  id: Scalars['ID']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationLoginArgs = {
  email: Scalars['String']['input'];
  password: Scalars['String']['input'];
  scopes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  deviceToken?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationRefreshSessionArgs = {
  refreshToken: Scalars['String']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationLogoutArgs = {
  refreshToken: Scalars['String']['input'];
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationUpdateUserArgs = {
  id: Scalars['ID']['input'];
  input: UpdateUserInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationChangePasswordArgs = {
  userId: Scalars['ID']['input'];
  currentPassword: Scalars['String']['input'];
  newPassword: Scalars['String']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateWebhookArgs = {
  input: CreateWebhookInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationUpdateWebhookArgs = {
  id: Scalars['ID']['input'];
  input: UpdateWebhookInput;
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationDeleteWebhookArgs = {
  id: Scalars['ID']['input'];
  ifVersion?: InputMaybe<ReadonlyArray<Scalars['Int']['input']>>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateWebhookSecretArgs = {
  webhookId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateWebhookAttemptArgs = {
  webhookId: Scalars['ID']['input'];
  deliveryId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Write operations. Fields of `Mutation` run one after the other. */
export type MutationCreateWebhookTestArgs = {
  webhookId: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};

/** Live events, over WebSocket or server-sent events. Each result has its cursor in `extensions.cursor`. */
export type Subscription = {
  /**
   * New events of your organisation, oldest first, as far as you may see them when they are sent. With `after`, first replays
   * the events after the cursor, then continues live without a gap.
   */
  readonly activity: Activity;
  /** The order after each change; null once it is deleted. */
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
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The purpose, as given by its creator. */
  readonly name: Scalars['String']['output'];
  /** The first characters, to recognise the key. The rest is shown once and never stored. */
  readonly prefix: Scalars['String']['output'];
  /** The granted scopes. Scopes that the owner's role does not include have no effect. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** Identifier of the owner. */
  readonly ownerId: Scalars['ID']['output'];
  /** The owner. */
  readonly owner: User;
  /** When the key was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the key expires; null for never. */
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** When the key was last used, to the minute; null before the first use. */
  readonly lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When the key was revoked; null if it was not revoked. */
  readonly revokedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** A page of API keys, oldest first. */
export type ApiKeyPage = {
  /** The keys of this page, including revoked and expired ones. */
  readonly nodes: ReadonlyArray<ApiKey>;
  /** The nodes of this page with their cursors. */
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

/** A new API key with its secret, which no later response contains. */
export type CreatedApiKey = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The purpose. */
  readonly name: Scalars['String']['output'];
  /** The key, as lists show it. */
  readonly apiKey: ApiKey;
  /** The key. Store it now: it is shown only once. Send it as `Authorization: ApiKey <key>`. */
  readonly key: Scalars['String']['output'];
  /** The granted scopes. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** When the key expires; null for never. */
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
};

/** A new API key. */
export type CreateApiKeyInput = {
  /** The purpose, to recognise the key in a list. */
  readonly name: Scalars['String']['input'];
  /** The scopes to grant: at least one, and only scopes that your own credentials have. */
  readonly scopes: ReadonlyArray<Scalars['String']['input']>;
  /** When the key expires, in the future. Without it, the key is valid until it is revoked. */
  readonly expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
};

/** The kind of app, which determines how it authenticates. */
export type AppType =
  /** Runs on a server and is used in a browser. Has a secret. */
  | 'web'
  /** Runs on people's devices. Has no secret and uses PKCE. */
  | 'native'
  /** Runs on a server and acts for itself, as a member of each organisation that installed it. Has a secret. */
  | 'service';

/** The format of an app's access tokens. */
export type TokenFormat =
  /** A signed JWT (RFC 9068). */
  | 'jwt'
  /** A random string. */
  | 'opaque';

/**
 * An OAuth 2.0 client that organisations install and people consent to. It belongs to the organisation that created it,
 * where it is installed from the start.
 */
export type App = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The client identifier (`client_id`) of the app at the authorization server. */
  readonly clientId: Scalars['String']['output'];
  /** The name, shown to people when they consent. */
  readonly name: Scalars['String']['output'];
  /** The kind of app. */
  readonly type: AppType;
  /** The allowed redirect URIs, compared exactly. For native apps, a loopback address matches with any port. */
  readonly redirectUris: ReadonlyArray<Scalars['String']['output']>;
  /** Where the app may send people after they have signed out, compared like redirect URIs. */
  readonly postLogoutRedirectUris: ReadonlyArray<Scalars['String']['output']>;
  /** The scopes that the app may request. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** The format of its access tokens. */
  readonly tokenFormat: TokenFormat;
  /** The website of the app. People see its host when they consent, if it is the host of the redirect URI: no other host is verified. */
  readonly homepageUrl?: Maybe<Scalars['String']['output']>;
  /** The public keys, as a JWK set, if the app authenticates with keys instead of a secret (`private_key_jwt`); null otherwise. */
  readonly jwks?: Maybe<Scalars['JSON']['output']>;
  /** The certificate name, if the app authenticates with a certificate instead of a secret (`tls_client_auth`); null otherwise. */
  readonly certificate?: Maybe<AppCertificate>;
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When the app was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the app was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** A name in a client certificate. Exactly one of the members has a value. */
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
  /** The nodes of this page with their cursors. */
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

/** A new app with its secret, which no later response contains. */
export type CreatedApp = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The client identifier (`client_id`) of the app at the authorization server. */
  readonly clientId: Scalars['String']['output'];
  /** The app. */
  readonly app: App;
  /** The secret. Null for native apps and for apps that authenticate with keys or a certificate. */
  readonly clientSecret?: Maybe<Scalars['String']['output']>;
  /** The name. */
  readonly name: Scalars['String']['output'];
  /** The kind of app. */
  readonly type: AppType;
  /** The allowed redirect URIs. */
  readonly redirectUris: ReadonlyArray<Scalars['String']['output']>;
  /** Where the app may send people after they have signed out. */
  readonly postLogoutRedirectUris: ReadonlyArray<Scalars['String']['output']>;
  /** The scopes that the app may request. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** The format of its access tokens. */
  readonly tokenFormat: TokenFormat;
  /** The website of the app. */
  readonly homepageUrl?: Maybe<Scalars['String']['output']>;
  /** The version, for `ifVersion` of the first change. */
  readonly version: Scalars['Int']['output'];
  /** When the app was created. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** A new secret of an app, which no later response contains. */
export type CreatedAppSecret = {
  /** Identifier of the app. */
  readonly id: Scalars['ID']['output'];
  /** The client identifier (`client_id`) of the app at the authorization server. */
  readonly clientId: Scalars['String']['output'];
  /** The secret. The previous secret stays valid; all older secrets are revoked. */
  readonly clientSecret: Scalars['String']['output'];
};

/** A name in a client certificate. Requires exactly one of the members. */
export type AppCertificateInput = {
  /** A URI among the subject alternative names, compared without normalisation. */
  readonly sanUri?: InputMaybe<Scalars['String']['input']>;
  /** A DNS name among the subject alternative names, without wildcards. It is returned in lower case. */
  readonly sanDns?: InputMaybe<Scalars['String']['input']>;
};

/** A new app. */
export type CreateAppInput = {
  /** The name, shown to people when they consent. */
  readonly name: Scalars['String']['input'];
  /** The kind of app. */
  readonly type: AppType;
  /**
   * The allowed redirect URIs: `https`, or `http` for loopback hosts; native apps may use a custom scheme. Web apps need at least
   * one; service apps have none.
   */
  readonly redirectUris?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Where the app may send people after they have signed out, by the same rules. Service apps have none. */
  readonly postLogoutRedirectUris?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The scopes that the app may request: at least one, and only scopes that your own credentials have. */
  readonly scopes: ReadonlyArray<Scalars['String']['input']>;
  /** The format of its access tokens. */
  readonly tokenFormat?: InputMaybe<TokenFormat>;
  /** The website of the app, an `https` URL. */
  readonly homepageUrl?: InputMaybe<Scalars['String']['input']>;
  /** Public keys, as a JWK set, to authenticate with instead of a secret (`private_key_jwt`). */
  readonly jwks?: InputMaybe<Scalars['JSON']['input']>;
  /** The name in the certificate to authenticate with instead of a secret (`tls_client_auth`). Tokens of the app are bound to the certificate. */
  readonly certificate?: InputMaybe<AppCertificateInput>;
};

/** Changes to an app. Omitted members stay unchanged. */
export type UpdateAppInput = {
  /** The name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** The allowed redirect URIs. */
  readonly redirectUris?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Where the app may send people after they have signed out. */
  readonly postLogoutRedirectUris?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /**
   * The scopes that the app may request. Removed ones are taken from existing tokens within a second. The installation in your own
   * organisation changes with them.
   */
  readonly scopes?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** The format of its access tokens. */
  readonly tokenFormat?: InputMaybe<TokenFormat>;
  /** The website of the app, an `https` URL; null for none. */
  readonly homepageUrl?: InputMaybe<Scalars['String']['input']>;
};

/** The kind of credentials that a caller authenticated with. */
export type CredentialKind =
  /** The access token of a signed-in person. */
  | 'session'
  /** An API key. */
  | 'api_key'
  /** A client certificate. */
  | 'certificate'
  /** An access token that the authorization server issued to an app. */
  | 'app'
  /** The cookie of a browser that is signed in at the authorization server. */
  | 'browser'
  /** A command run by an operator of the server. */
  | 'operator';

/**
 * A reference to the credentials of a caller. It never contains a secret. Each kind has its own type: as for every other object, the
 * type name and the id together identify it.
 */
export type AuditCredentials = {
  /** The kind of credentials. */
  readonly kind: CredentialKind;
  /** Identifier of the session, the API key, the client certificate or the app's grant. Null for other kinds, and for tokens without a session. */
  readonly id?: Maybe<Scalars['ID']['output']>;
};

/** The access token of a signed-in person. */
export type SessionCredentials = AuditCredentials & {
  /** The kind: `session`. */
  readonly kind: CredentialKind;
  /** Identifier of the session; null for tokens without one. */
  readonly id?: Maybe<Scalars['ID']['output']>;
};

/** An API key. */
export type ApiKeyCredentials = AuditCredentials & {
  /** The kind: `api_key`. */
  readonly kind: CredentialKind;
  /** Identifier of the key. */
  readonly id?: Maybe<Scalars['ID']['output']>;
};

/** A client certificate. */
export type CertificateCredentials = AuditCredentials & {
  /** The kind: `certificate`. */
  readonly kind: CredentialKind;
  /** Identifier of the certificate. */
  readonly id?: Maybe<Scalars['ID']['output']>;
};

/** An access token that the authorization server issued to an app. */
export type AppCredentials = AuditCredentials & {
  /** The kind: `app`. */
  readonly kind: CredentialKind;
  /** Identifier of the app's grant. */
  readonly id?: Maybe<Scalars['ID']['output']>;
};

/** The cookie of a browser that is signed in at the authorization server. */
export type BrowserCredentials = AuditCredentials & {
  /** The kind: `browser`. */
  readonly kind: CredentialKind;
  /** Always null. */
  readonly id?: Maybe<Scalars['ID']['output']>;
};

/** A command run by an operator of the server. */
export type OperatorCredentials = AuditCredentials & {
  /** The kind: `operator`. */
  readonly kind: CredentialKind;
  /** Always null. */
  readonly id?: Maybe<Scalars['ID']['output']>;
};

/** An entry of the audit log: an event together with its origin, or an action that is not an event, such as a sign-in. */
export type AuditEntry = {
  /** Identifier, unique within the audit log. */
  readonly id: Scalars['ID']['output'];
  /** What happened: an event type, or a type that exists only in the audit log. */
  readonly type: Scalars['String']['output'];
  /** Identifier of the event; null for an entry that is not an event and does not appear in the feed. */
  readonly eventId?: Maybe<Scalars['ID']['output']>;
  /** Identifier of the person or app who did it; null for the server itself, for an operator, and if it is not known. */
  readonly actorId?: Maybe<Scalars['ID']['output']>;
  /** The person or app who did it. */
  readonly actor?: Maybe<Actor>;
  /** The credentials that were used; null if there were none, if they are not known, and for actions of the server itself. */
  readonly credentials?: Maybe<AuditCredentials>;
  /** The IP address of the client; null if there is none or it is not known. */
  readonly address?: Maybe<Scalars['String']['output']>;
  /** The kind of the subject, such as `user`. */
  readonly subjectType: Scalars['String']['output'];
  /** Identifier of the subject, unique within its kind. */
  readonly subjectId: Scalars['ID']['output'];
  /** Details that depend on the type. Member names are snake_case, as in REST. */
  readonly data: Scalars['JSON']['output'];
  /**
   * The number of occurrences since `createdAt`. Failed sign-ins to one account from one address within an hour are one entry. 1 for
   * all other entries.
   */
  readonly occurrences: Scalars['Int']['output'];
  /** When it first happened. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** A page of the audit log. */
export type AuditEntryConnection = {
  /** The entries of this page. */
  readonly nodes: ReadonlyArray<AuditEntry>;
  /** The nodes of this page with their cursors. */
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
 * The position of an offset page in its list. Offset pages have a total and can be read in any order. Their cost grows
 * with the offset, so at most 10,000 rows can be skipped. Cursor lists have no such limit.
 */
export type OffsetPageInfo = {
  /** The number of this page, starting at 1. */
  readonly page: Scalars['Int']['output'];
  /** The page size: as requested, at most 100. */
  readonly limit: Scalars['Int']['output'];
  /** The total number of rows in the list. */
  readonly total: Scalars['Int']['output'];
  /** The number of the next page; null on the last page. A page that starts too deep is refused with `page_too_deep`. */
  readonly nextPage?: Maybe<Scalars['Int']['output']>;
};

/** The position of a page in a cursor list, as defined by the Relay cursor connections specification. */
export type PageInfo = {
  /** Whether there are more rows after this page. On a page read backwards: whether `before` was given. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether there are more rows before this page. On a page read forwards: whether `after` was given. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The position of the first row; pass it as `before` to read backwards. Null on an empty page. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
  /** The position of the last row; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
};

/**
 * An object that can be read by its `nodeId`, whatever its type, as defined by the Relay object identification specification. Every
 * type that a field of `Query` returns for an `id` implements it.
 */
export type Node = {
  /** Identifier, unique within the type. */
  readonly id: Scalars['ID']['output'];
  /** Opaque identifier, unique across all types. Pass it to `node`. */
  readonly nodeId: Scalars['ID']['output'];
};

/** The state of a charge. */
export type ChargeStatus =
  /** The outcome is not known yet. The server queries the payment provider for it; a retry with the same idempotency key does so immediately. */
  | 'pending'
  /** The source was charged. */
  | 'succeeded'
  /** The source was declined, and no money moved. */
  | 'failed'
  /** All of the money was refunded. */
  | 'refunded';

/** The state of a refund. */
export type RefundStatus =
  /** The outcome is not known yet. The server queries the payment provider for it. */
  | 'pending'
  /** The money was returned. */
  | 'succeeded'
  /** The money could not be returned. */
  | 'failed';

/** A refund of a charge, in full or in part. */
export type Refund = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier of the charge. */
  readonly chargeId: Scalars['ID']['output'];
  /** The amount. */
  readonly amount: Money;
  /** The state of the refund. */
  readonly status: RefundStatus;
  /** Identifier of the person who requested the refund. */
  readonly userId: Scalars['ID']['output'];
  /** When the refund was requested. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** An exact amount of money. */
export type Money = {
  /** The amount in the major unit of the currency: 19.99. */
  readonly value: Scalars['Decimal']['output'];
  /** The currency code (ISO 4217). */
  readonly currency: Scalars['String']['output'];
};

/**
 * The record of an idempotency key, which prevents a request from being executed twice. It is kept for 24 hours after the
 * outcome.
 */
export type IdempotencyRecord = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The mutation that the key belongs to. */
  readonly mutation: Scalars['String']['output'];
  /** The key, as the client sent it. */
  readonly key: Scalars['String']['output'];
  /** The state of the request. */
  readonly status: IdempotencyStatus;
  /** The number of requests that worked on it: the first one, and each one that took over after a crash. */
  readonly attempts: Scalars['Int']['output'];
  /** When the first request was received. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** The state of a request with an idempotency key. */
export type IdempotencyStatus =
  /** The request is running or was interrupted. A retry with the same key continues it. */
  | 'new'
  /** The request has an outcome. A retry with the same key returns it. */
  | 'done';

/** A page of charges, newest first. */
export type ChargePage = {
  /** The charges of this page. */
  readonly nodes: ReadonlyArray<Charge>;
  /** The nodes of this page with their cursors. */
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

/** A page of refunds, newest first. */
export type RefundPage = {
  /** The refunds of this page. */
  readonly nodes: ReadonlyArray<Refund>;
  /** The nodes of this page with their cursors. */
  readonly edges: ReadonlyArray<RefundEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /** The position of the last refund of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** An amount of money. An amount with more decimals than the currency has is refused, never rounded. */
export type MoneyInput = {
  /** The amount in the major unit of the currency, above 0: 19.99. */
  readonly value: Scalars['Decimal']['input'];
  /** The currency code (ISO 4217): USD. */
  readonly currency: Scalars['String']['input'];
};

/** A new charge. Requires either `amount` or `minorAmount`. */
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
  /** The order to pay. It must have the same currency and not be cancelled. An order of another organisation is `forbidden`. */
  readonly orderId?: InputMaybe<Scalars['ID']['input']>;
};

/**
 * A client certificate that a machine authenticates with (mutual TLS). Like an API key, it acts for the person who registered it,
 * with at most that person's current rights.
 */
export type ClientCertificate = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The purpose, as given by its creator. */
  readonly name: Scalars['String']['output'];
  /** How certificates are matched. */
  readonly match: ClientCertificateMatch;
  /** The granted scopes. Scopes that the owner's role does not include have no effect. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** Identifier of the owner. */
  readonly ownerId: Scalars['ID']['output'];
  /** The owner. */
  readonly owner: User;
  /** When the certificate was registered. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the registration expires; null for never. The expiry of the certificate itself applies as well. */
  readonly expiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** When the registration was last used, to the minute; null before the first use. */
  readonly lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When the registration was revoked; null if it was not revoked. */
  readonly revokedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** How a client certificate is matched. Exactly one of the members has a value. */
export type ClientCertificateMatch = {
  /** The SHA-256 thumbprint of the certificate, in base64url (`x5t#S256`). */
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
  /** The nodes of this page with their cursors. */
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

/** How a client certificate is matched. Requires exactly one of the members. A match can be registered only once on the whole server. */
export type ClientCertificateMatchInput = {
  /** The SHA-256 thumbprint of the certificate: 64 hexadecimal digits with or without colons, or base64url, in which it is returned. */
  readonly thumbprint?: InputMaybe<Scalars['String']['input']>;
  /** A URI among the subject alternative names, compared without normalisation. */
  readonly sanUri?: InputMaybe<Scalars['String']['input']>;
  /** A DNS name among the subject alternative names, without wildcards. It is returned in lower case. */
  readonly sanDns?: InputMaybe<Scalars['String']['input']>;
};

/** A client certificate to register. */
export type CreateClientCertificateInput = {
  /** The purpose, to recognise the registration in a list. */
  readonly name: Scalars['String']['input'];
  /** How certificates are matched. The common name of a certificate is ignored. */
  readonly match: ClientCertificateMatchInput;
  /** The scopes to grant: at least one, and only scopes that your own credentials have. */
  readonly scopes: ReadonlyArray<Scalars['String']['input']>;
  /** When the registration expires, in the future. Without it, the registration is valid until it is revoked. */
  readonly expiresAt?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Who may read a document, in addition to its author, administrators and the people it is shared with. */
export type Classification =
  /** Everyone in the organisation, as for `internal`. It marks documents that the organisation may also publish elsewhere. */
  | 'public'
  /** Everyone in the organisation. */
  | 'internal'
  /** No one else. */
  | 'confidential';

/** What a share allows a person to do with a document. */
export type ShareRelation =
  /** Read the document. */
  | 'reader'
  /** Read the document and change its text, even with a read-only role. */
  | 'writer';

/** A document of an organisation. */
export type Document = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The short name of the organisation. */
  readonly org: Scalars['String']['output'];
  /** The title. */
  readonly title: Scalars['String']['output'];
  /** The text. */
  readonly body: Scalars['String']['output'];
  /** Who may read the document. */
  readonly classification: Classification;
  /** Identifier of the author. */
  readonly authorId: Scalars['ID']['output'];
  /** The author. */
  readonly author: User;
  /**
   * The shares, at most 100, oldest first. Callers who may not change the document
   * get `forbidden`.
   */
  readonly shares: ReadonlyArray<Share>;
  /** The events of the document, newest first. */
  readonly history: ActivityPage;
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When the document was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the document was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};


/** A document of an organisation. */
export type DocumentHistoryArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
  before?: InputMaybe<Scalars['String']['input']>;
};

/** The share of a document with a person. */
export type Share = {
  /** Identifier. A share that is removed and created again has a new one. */
  readonly id: Scalars['ID']['output'];
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
  /** The nodes of this page with their cursors. */
  readonly edges: ReadonlyArray<DocumentEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /**
   * The position up to which this page was searched, usually that of its last document. Pass it as `after` to continue.
   * Null if there was nothing to search.
   */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /**
   * Whether there are more pages. A page searches at most 250 documents. If most of them are hidden from the caller, the page may
   * be short or empty although there are more: continue from its cursor.
   */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** A member of an organisation: a person, or an installed app. */
export type User = Node & {
  /**
   * The person's documents that the caller may read, by time of creation. The first 20 by default. `first` and `last` cannot be
   * combined. Only the first or last 100 documents of the person are searched.
   */
  readonly documents: ReadonlyArray<Document>;
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The short name of the organisation. */
  readonly org: Scalars['String']['output'];
  /** The display name. */
  readonly name: Scalars['String']['output'];
  /** The email address that the person signs in with. Empty for removed people. */
  readonly email: Scalars['String']['output'];
  /** The kind of member: a person or an installed app. */
  readonly kind: MemberKind;
  /** The role. Removed people have no access and are shown with the lowest role. */
  readonly role: Role;
  /** The URL of an avatar. */
  readonly avatarUrl: Scalars['String']['output'];
  /**
   * The number of unread events that the caller may see: those after the last event marked as read, among the
   * newest 1,000 of the organisation. At most 100, which means 100 or more: show it as "99+". Null for other people
   * and for credentials without the scope `read:feed`.
   */
  readonly unreadNotifications?: Maybe<Scalars['Int']['output']>;
  /** The person's orders, by time of creation. The first 20 by default. `first` and `last` cannot be combined. */
  readonly orders: ReadonlyArray<Order>;
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When the account was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the account was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** When the person was removed; null for active people. Past events keep the person's name. */
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
  /** Who may read the document. Null means the default. */
  readonly classification?: InputMaybe<Classification>;
};

/** Changes to a document. Omitted members stay unchanged. */
export type UpdateDocumentInput = {
  /** The title. */
  readonly title?: InputMaybe<Scalars['String']['input']>;
  /** The text. */
  readonly body?: InputMaybe<Scalars['String']['input']>;
  /** Who may read the document. Changing this requires `write:docs`; a share as writer is not enough. */
  readonly classification?: InputMaybe<Classification>;
};

/** A new share. */
export type CreateShareInput = {
  /** A person of your organisation. */
  readonly userId: Scalars['ID']['input'];
  /** The relation. */
  readonly relation: ShareRelation;
};

/** A person's consent that an app may act for them. The app can never do more than the person currently can. */
export type Grant = Node & {
  /** Identifier. Tokens contain it as the claim `gid`. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The client identifier (`client_id`) of the app. */
  readonly clientId: Scalars['String']['output'];
  /** The name of the app. */
  readonly appName: Scalars['String']['output'];
  /** Identifier of the person. */
  readonly userId: Scalars['ID']['output'];
  /** The person. */
  readonly user?: Maybe<User>;
  /** The scopes that the person granted, including those of OpenID Connect, such as `email`. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** When the person consented. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** A page of grants, oldest first. */
export type GrantPage = {
  /** The grants of this page. */
  readonly nodes: ReadonlyArray<Grant>;
  /** The nodes of this page with their cursors. */
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

/** An app installed in an organisation. People of the organisation may consent to it, and it may act for itself as a member. */
export type Installation = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The client identifier (`client_id`) of the app. */
  readonly clientId: Scalars['String']['output'];
  /** The name of the app. */
  readonly name: Scalars['String']['output'];
  /** The short name of the organisation that the app belongs to. */
  readonly publisher: Scalars['String']['output'];
  /** The website of the app. */
  readonly homepageUrl?: Maybe<Scalars['String']['output']>;
  /** The scopes that the app may have in this organisation, acting for itself or for people. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** The role of the app as a member. */
  readonly role: Role;
  /** Identifier of the app's member in this organisation: the actor when the app acts for itself. */
  readonly memberId: Scalars['ID']['output'];
  /** When the app was installed. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** A page of installations, oldest first. */
export type InstallationPage = {
  /** The installations of this page. */
  readonly nodes: ReadonlyArray<Installation>;
  /** The nodes of this page with their cursors. */
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
  /** The client identifier (`client_id`) of the app, provided by its publisher. */
  readonly clientId: Scalars['String']['input'];
  /** The scopes that the app may have: only scopes that the app requests and that your own credentials have. */
  readonly scopes: ReadonlyArray<Scalars['String']['input']>;
  /** The role of the app as a member. It limits what the app can do for itself. */
  readonly role: Role;
};

/** The state of an invitation. */
export type InvitationStatus =
  /** The invitation can be accepted. */
  | 'open'
  /** The invited person joined. */
  | 'accepted'
  /** An administrator revoked the invitation. */
  | 'revoked'
  /** The invitation was not accepted in time. */
  | 'expired';

/** An invitation to join an organisation, sent to an email address. */
export type Invitation = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The short name of the organisation. */
  readonly org: Scalars['String']['output'];
  /** The email address that the invitation was sent to. Empty after the person with this address was removed. */
  readonly email: Scalars['String']['output'];
  /** The role that the person gets. */
  readonly role: Role;
  /** The state of the invitation. */
  readonly status: InvitationStatus;
  /** Identifier of the administrator who sent the invitation; null for an operator of the server. */
  readonly invitedById?: Maybe<Scalars['ID']['output']>;
  /** When the invitation was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the invitation expires. */
  readonly expiresAt: Scalars['DateTime']['output'];
};

/** A page of invitations, oldest first. */
export type InvitationPage = {
  /** The invitations of this page. */
  readonly nodes: ReadonlyArray<Invitation>;
  /** The nodes of this page with their cursors. */
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
  /** The name of the administrator who sent the invitation; null for an operator of the server. */
  readonly inviter?: Maybe<Scalars['String']['output']>;
  /** The email address that the invitation was sent to. It becomes the address to sign in with. */
  readonly email: Scalars['String']['output'];
  /** The role that the person gets. */
  readonly role: Role;
  /** When the invitation expires. */
  readonly expiresAt: Scalars['DateTime']['output'];
};

/** A new invitation. */
export type CreateInvitationInput = {
  /** The email address to invite; case-insensitive. */
  readonly email: Scalars['String']['input'];
  /** The role that the person gets. */
  readonly role: Role;
};

/** A page of people, oldest first. */
export type UserPage = {
  /** The people of this page. */
  readonly nodes: ReadonlyArray<User>;
  /** The nodes of this page with their cursors. */
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
  /** The email address to sign in with; case-insensitive. No active person of any organisation may have it. */
  readonly email: Scalars['String']['input'];
  /** The display name. */
  readonly name: Scalars['String']['input'];
  /** The role. */
  readonly role: Role;
  /** The password to sign in with. */
  readonly password: Scalars['String']['input'];
};

/** Changes to a membership. Omitted members stay unchanged. */
export type UpdateMemberInput = {
  /** The new role. */
  readonly role?: InputMaybe<Role>;
};

/** The state of an order. A pending order can be cancelled or shipped; both states are final. */
export type OrderStatus =
  /** The order can still be changed. */
  | 'pending'
  /** The order was cancelled. */
  | 'cancelled'
  /** The order was shipped. */
  | 'shipped';

/** The sort order of orders. Orders with equal values are sorted by id, in the same direction. */
export type OrderSort =
  /** Identifier, lowest first. */
  | 'id'
  /** Identifier, highest first. */
  | 'id_desc'
  /** Time of creation, oldest first. */
  | 'created_at'
  /** Time of creation, newest first. */
  | 'created_at_desc'
  /** Total, smallest first: by its number in the major unit, whatever the currency. */
  | 'total'
  /** Total, largest first: by its number in the major unit, whatever the currency. */
  | 'total_desc';

/** An item of an order. Name and price are those of the product at the time of the order. */
export type Item = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Identifier of the product. */
  readonly productId: Scalars['ID']['output'];
  /** The product in its current state. */
  readonly product: Product;
  /** The name of the product at the time of the order. */
  readonly name: Scalars['String']['output'];
  /** The quantity. */
  readonly qty: Scalars['Int']['output'];
  /** The price per unit at the time of the order, in the major unit of the currency. */
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

/** The sort order of an organisation's orders. Orders with equal values are sorted by id, in the same direction. */
export type OrganisationOrderSort =
  /** Time of creation, oldest first. */
  | 'created_at'
  /** Time of creation, newest first. */
  | 'created_at_desc'
  /** Total, smallest first: by its number in the major unit, whatever the currency. */
  | 'total'
  /** Total, largest first: by its number in the major unit, whatever the currency. */
  | 'total_desc';

/** A page of an organisation's orders. */
export type OrderConnection = {
  /** The orders of this page. */
  readonly nodes: ReadonlyArray<Order>;
  /** The nodes of this page with their cursors. */
  readonly edges: ReadonlyArray<OrderEdge>;
  /** The position of this page in the list. */
  readonly pageInfo: PageInfo;
  /**
   * The position up to which this page was searched, usually that of its last order. Pass it as `after` to continue. Null
   * if there was nothing to search.
   */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /**
   * Whether there are more pages. A page searches at most 5,000 orders. If most of them do not match the filters, the page may be
   * short or empty although there are more: continue from its cursor.
   */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** An item of a new order. The price is the product's current price. */
export type OrderItemInput = {
  /** Identifier of a product of your organisation. */
  readonly productId: Scalars['ID']['input'];
  /** The quantity. */
  readonly qty: Scalars['Int']['input'];
};

/** A new order. */
export type CreateOrderInput = {
  /** The person who placed the order. */
  readonly userId: Scalars['ID']['input'];
  /** The items: at least one, all in one currency. */
  readonly items: ReadonlyArray<OrderItemInput>;
};

/** Changes to a pending order. Omitted members stay unchanged. */
export type UpdateOrderInput = {
  /** The new state. */
  readonly status?: InputMaybe<OrderStatus>;
  /** Items that replace all existing items, at current prices. If the order has exactly these items, they keep their prices. */
  readonly items?: InputMaybe<ReadonlyArray<OrderItemInput>>;
};

/** A request for a password reset. It does not reveal whether the address has an account. */
export type PasswordResetRequest = {
  /** The email address, as it was sent. */
  readonly email: Scalars['String']['output'];
  /** Seconds until the link expires, if one was sent. */
  readonly expiresIn: Scalars['Int']['output'];
};

/** The result of a message from the payment provider. */
export type PaymentEventReceipt = {
  /**
   * Whether the message changed a charge. A message changes nothing if it is a duplicate, reports nothing new or is about an unknown
   * charge.
   */
  readonly applied: Scalars['Boolean']['output'];
  /** The charge; null if it is unknown. */
  readonly charge?: Maybe<Charge>;
};

/** A message from the payment provider, in the format of Standard Webhooks. */
export type PaymentEventInput = {
  /** What happened: `charge.succeeded`, `charge.failed` or `charge.refunded`. Other types are accepted and ignored. */
  readonly type: Scalars['String']['input'];
  /** When the event happened. */
  readonly timestamp: Scalars['DateTime']['input'];
  /**
   * The charge: `charge_id`, the identifier that this server sent to the provider, or `payment_id`, the provider's
   * identifier. For failed charges also `failure_code`. Other members are ignored.
   */
  readonly data: Scalars['JSON']['input'];
};

/** A product. Orders keep the name and the price that the product had when they were placed. */
export type Product = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The name. */
  readonly name: Scalars['String']['output'];
  /** The price per unit, in the major unit of the currency. */
  readonly unitPrice: Scalars['Float']['output'];
  /** The currency of the price (ISO 4217). */
  readonly currency: Scalars['String']['output'];
  /** The URL of a thumbnail. */
  readonly thumbnailUrl: Scalars['String']['output'];
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When the product was added. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the product was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
  /** Whether the product is archived: it can no longer be ordered. */
  readonly archived: Scalars['Boolean']['output'];
  /** When the product was archived; null for active products. */
  readonly archivedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** A page of products, oldest first. */
export type ProductPage = {
  /** The products of this page. */
  readonly nodes: ReadonlyArray<Product>;
  /** The nodes of this page with their cursors. */
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
  /** The price per unit, in the major unit of the currency: 0 or more. A price with more decimals than the currency has is refused, never rounded. */
  readonly unitPrice: Scalars['Decimal']['input'];
  /** The currency of the price (ISO 4217). */
  readonly currency: Scalars['String']['input'];
};

/** Changes to a product. Omitted members stay unchanged. Existing orders keep their prices. */
export type UpdateProductInput = {
  /** The name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** The price per unit, in the major unit of the currency: 0 or more. */
  readonly unitPrice?: InputMaybe<Scalars['Decimal']['input']>;
  /** The currency of the price (ISO 4217). Can only be changed together with `unitPrice`. */
  readonly currency?: InputMaybe<Scalars['String']['input']>;
  /** True archives the product. False makes an archived product available again. */
  readonly archived?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A session: a short-lived access token to send with requests, and a refresh token to get the next one. */
export type Session = {
  /** A signed JWT. Send it as `Authorization: Bearer <accessToken>`. */
  readonly accessToken: Scalars['String']['output'];
  /** An opaque single-use token. Exchange it for the next pair before the access token expires. */
  readonly refreshToken: Scalars['String']['output'];
  /**
   * Identifies this device at the next sign-in, so that wrong passwords from elsewhere do not lock it out. It grants
   * no access.
   */
  readonly deviceToken: Scalars['String']['output'];
  /** Always `Bearer`. */
  readonly tokenType: Scalars['String']['output'];
  /** Seconds until the access token expires. */
  readonly expiresIn: Scalars['Int']['output'];
};

/** An active session: a sign-in on one device, or in a browser that lets apps act for the person (OAuth 2.0). */
export type ActiveSession = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** Identifier of the person. */
  readonly userId: Scalars['ID']['output'];
  /** The person. */
  readonly user: User;
  /** The scopes of the session, limited to those of the person's role. Empty for such a browser, which gets no tokens. */
  readonly scopes: ReadonlyArray<Scalars['String']['output']>;
  /** The IP address of the sign-in; null if it was not recorded. */
  readonly address?: Maybe<Scalars['String']['output']>;
  /** Whether this is the session of the current request. */
  readonly current: Scalars['Boolean']['output'];
  /** When the person signed in. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** The last sign-in or refresh; null if it was not recorded. */
  readonly lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When the session expires, unless it is ended before. */
  readonly expiresAt: Scalars['DateTime']['output'];
};

/** A page of sessions, oldest first. */
export type ActiveSessionPage = {
  /** The sessions of this page. */
  readonly nodes: ReadonlyArray<ActiveSession>;
  /** The nodes of this page with their cursors. */
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

/** The interface through which an operation reaches the server. */
export type Door =
  /** A REST route. */
  | 'rest'
  /** A request to `/graphql`. */
  | 'graphql'
  /** A message on a WebSocket. */
  | 'websocket'
  /** A stream of server-sent events. */
  | 'sse'
  /** A tool call of an agent at `/mcp`. */
  | 'mcp';

/** An organisation's use of one operation through one interface on one day. */
export type OperationUse = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The start of the day (UTC). */
  readonly day: Scalars['DateTime']['output'];
  /** The interface through which the operation was used. */
  readonly door: Door;
  /**
   * The operation: the `operationId` of a REST route, also when it is called as a tool, or the operation name in a GraphQL document.
   * Null for unnamed operations. From the 100th name of a day on, all further names are counted as `other`.
   */
  readonly operation?: Maybe<Scalars['String']['output']>;
  /** The number of requests. A stream counts as one. */
  readonly requests: Scalars['Int']['output'];
  /** The number of requests that were refused or had an error in their response. */
  readonly errors: Scalars['Int']['output'];
  /** The points charged for the requests and for the events sent on streams. */
  readonly points: Scalars['Float']['output'];
};

/** A page of operation uses, newest first. */
export type OperationUseConnection = {
  /** The uses of this page. */
  readonly nodes: ReadonlyArray<OperationUse>;
  /** The nodes of this page with their cursors. */
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

/** One caller's use of a deprecated route or schema element on one day. */
export type DeprecatedUse = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The start of the day (UTC). */
  readonly day: Scalars['DateTime']['output'];
  /** What was used: a route such as `POST /v1/charges`, or a schema coordinate such as `Charge.minorAmount`. */
  readonly name: Scalars['String']['output'];
  /** Identifier of the person or app who used it. */
  readonly actorId: Scalars['ID']['output'];
  /** The person or app who used it. */
  readonly actor?: Maybe<Actor>;
  /** The credentials that were used. All sessions of one person are counted together, without an id. */
  readonly credentials: AuditCredentials;
  /** The number of requests that used it. */
  readonly uses: Scalars['Int']['output'];
  /** When it was last used on that day. */
  readonly lastUsedAt: Scalars['DateTime']['output'];
};

/** A page of deprecated uses, newest first. */
export type DeprecatedUseConnection = {
  /** The uses of this page. */
  readonly nodes: ReadonlyArray<DeprecatedUse>;
  /** The nodes of this page with their cursors. */
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
  /** Can read, and can write orders, products, documents and charges. */
  | 'editor'
  /** Can read. */
  | 'viewer';

/** The kind of a member. */
export type MemberKind =
  /** A person. */
  | 'person'
  /** An installed app. */
  | 'app';

/** Changes to a person. Omitted members stay unchanged. */
export type UpdateUserInput = {
  /** The display name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
};

/** A webhook: a URL that receives events of the organisation as Standard Webhooks messages. */
export type Webhook = Node & {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** Globally unique identifier of the object, for `node`. Opaque. */
  readonly nodeId: Scalars['ID']['output'];
  /** The URL that messages are sent to. */
  readonly url: Scalars['String']['output'];
  /** The event types that are sent: a type such as `order.created`, all types of a subject such as `order.*`, or `*` for all. */
  readonly types: ReadonlyArray<Scalars['String']['output']>;
  /** Whether messages are sent. A webhook that is enabled again continues where it stopped. */
  readonly enabled: Scalars['Boolean']['output'];
  /** Why the webhook is disabled; null while it is enabled. */
  readonly disabledReason?: Maybe<WebhookDisabledReason>;
  /** When the webhook was disabled; null while it is enabled. */
  readonly disabledAt?: Maybe<Scalars['DateTime']['output']>;
  /**
   * The time until which messages are also signed with the previous secret, unless the secret is replaced again before; null if it was
   * never replaced.
   */
  readonly formerSecretUntil?: Maybe<Scalars['DateTime']['output']>;
  /** Incremented by each change. Send it as `ifVersion` for optimistic locking. */
  readonly version: Scalars['Int']['output'];
  /** When the webhook was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the webhook was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** Why a webhook is disabled. */
export type WebhookDisabledReason =
  /** A person disabled it. */
  | 'by_hand'
  /** The receiver returned 410 Gone. */
  | 'gone'
  /** All attempts to deliver a message failed, and no other message was accepted during that time. */
  | 'failing';

/** A page of webhooks, oldest first. */
export type WebhookPage = {
  /** The webhooks of this page. */
  readonly nodes: ReadonlyArray<Webhook>;
  /** The nodes of this page with their cursors. */
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

/** A new webhook with its signing secret, which no later response contains. */
export type CreatedWebhook = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The URL that messages are sent to. */
  readonly url: Scalars['String']['output'];
  /** The event types that are sent. */
  readonly types: ReadonlyArray<Scalars['String']['output']>;
  /** The version, for `ifVersion` of the first change. */
  readonly version: Scalars['Int']['output'];
  /** The webhook. */
  readonly webhook: Webhook;
  /** The signing secret. Store it now: it is shown only once. */
  readonly secret: Scalars['String']['output'];
};

/** A new signing secret of a webhook. */
export type CreatedWebhookSecret = {
  /** Identifier of the webhook. */
  readonly id: Scalars['ID']['output'];
  /** The webhook. */
  readonly webhook: Webhook;
  /** The new signing secret. Store it now: it is shown only once. */
  readonly secret: Scalars['String']['output'];
  /** The time until which messages are also signed with the previous secret, unless the secret is replaced again before. */
  readonly formerSecretUntil: Scalars['DateTime']['output'];
};

/** The delivery of one event to a webhook. */
export type WebhookDelivery = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The value of the header `webhook-id` in every attempt. Receivers use it to detect duplicates. */
  readonly messageId: Scalars['String']['output'];
  /** Identifier of the webhook. */
  readonly webhookId: Scalars['ID']['output'];
  /** Identifier of the event, as in the feed. */
  readonly eventId: Scalars['ID']['output'];
  /** The event type. */
  readonly type: Scalars['String']['output'];
  /** The state of the delivery. */
  readonly status: WebhookDeliveryStatus;
  /** The attempts in order, including the scheduled one. */
  readonly attempts: ReadonlyArray<WebhookAttempt>;
  /** When the first attempt was due. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the delivery succeeded or was given up; null while attempts continue. */
  readonly finishedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** The state of a delivery. */
export type WebhookDeliveryStatus =
  /** Attempts continue. */
  | 'pending'
  /** The receiver accepted the message with a status from 200 to 299. */
  | 'delivered'
  /** The delivery was given up. */
  | 'failed';

/** A page of deliveries, newest first. Deliveries are kept for 30 days, or longer while attempts continue. */
export type WebhookDeliveryPage = {
  /** The deliveries of this page. */
  readonly nodes: ReadonlyArray<WebhookDelivery>;
  /** The nodes of this page with their cursors. */
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
  /** The delivery; null if it was deleted since. */
  readonly delivery?: Maybe<WebhookDelivery>;
  /** The number of the attempt within its delivery, starting at 1. */
  readonly number: Scalars['Int']['output'];
  /** What triggered the attempt. */
  readonly trigger: WebhookAttemptTrigger;
  /** When the attempt is due. */
  readonly dueAt: Scalars['DateTime']['output'];
  /** When the attempt started; null while it is scheduled. */
  readonly startedAt?: Maybe<Scalars['DateTime']['output']>;
  /** When the attempt ended; null until then. */
  readonly finishedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The duration in milliseconds; null until the attempt ends, and if no request was made. */
  readonly durationMs?: Maybe<Scalars['Int']['output']>;
  /** The HTTP status of the response; null without a response. */
  readonly status?: Maybe<Scalars['Int']['output']>;
  /** Why the attempt failed; null if it succeeded or has not ended. */
  readonly error?: Maybe<WebhookAttemptError>;
  /** The first 1,024 bytes of the response body; null without a response. */
  readonly answer?: Maybe<Scalars['String']['output']>;
};

/** What triggered an attempt. */
export type WebhookAttemptTrigger =
  /** The retry schedule. */
  | 'schedule'
  /** A request for redelivery. */
  | 'redelivery';

/** Why an attempt failed. */
export type WebhookAttemptError =
  /** The address of the URL is not public or not allowed. */
  | 'target_refused'
  /** The host name has no address. */
  | 'name_not_resolved'
  /** The connection failed or was closed before a response. */
  | 'connection_failed'
  /** The receiver does not support TLS or has no trusted certificate for the host name. */
  | 'tls_failed'
  /** No response within 15 seconds. */
  | 'timeout'
  /** The response was a redirect. Redirects are not followed. */
  | 'redirect'
  /** The response had a status other than 200 to 299. */
  | 'status'
  /** The server stopped repeatedly during this attempt or could not read the webhook's secret. */
  | 'interrupted'
  /** The event has expired. */
  | 'event_gone';

/** A new webhook. */
export type CreateWebhookInput = {
  /** A public https URL. Its address is checked again at each attempt. */
  readonly url: Scalars['String']['input'];
  /** The event types to receive: a type such as `order.created`, all types of a subject such as `order.*`, or `*` for all. */
  readonly types: ReadonlyArray<Scalars['String']['input']>;
};

/** Changes to a webhook. Omitted members stay unchanged. */
export type UpdateWebhookInput = {
  /** A public https URL. */
  readonly url?: InputMaybe<Scalars['String']['input']>;
  /** The event types to receive from now on. */
  readonly types?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** False disables the webhook. True enables it, and it continues where it stopped. */
  readonly enabled?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type ActivityEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: Activity;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type ApiKeyEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: ApiKey;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type AppEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: App;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type AuditEntryEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: AuditEntry;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type ChargeEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: Charge;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type RefundEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: Refund;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type ClientCertificateEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: ClientCertificate;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type DocumentEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: Document;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type GrantEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: Grant;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type InstallationEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: Installation;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type InvitationEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: Invitation;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type UserEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: User;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type OrderEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: Order;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type ProductEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: Product;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type ActiveSessionEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: ActiveSession;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type OperationUseEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: OperationUse;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type DeprecatedUseEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: DeprecatedUse;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type WebhookEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
  readonly node: Webhook;
};

/** A node of a page, with its position. It costs nothing in addition to its node. */
export type WebhookDeliveryEdge = {
  /** The position of the node in the list. */
  readonly cursor: Scalars['String']['output'];
  /** The listed object. */
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
  AuditCredentials:
    | ( SessionCredentials )
    | ( ApiKeyCredentials )
    | ( CertificateCredentials )
    | ( AppCredentials )
    | ( BrowserCredentials )
    | ( OperatorCredentials )
  ;
  Node:
    | ( ActivityNode )
    | ( OrderNode )
    | ( ChargeNode )
    | ( ApiKeyNode )
    | ( AppNode )
    | ( ClientCertificateNode )
    | ( DocumentNode )
    | ( UserNode )
    | ( GrantNode )
    | ( InstallationNode )
    | ( InvitationNode )
    | ( ProductNode )
    | ( ActiveSessionNode )
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
  CreatedApiKey: ResolverTypeWrapper<CreatedApiKeyNode>;
  CreateApiKeyInput: CreateApiKeyInput;
  AppType: AppType;
  TokenFormat: TokenFormat;
  App: ResolverTypeWrapper<AppNode>;
  AppCertificate: ResolverTypeWrapper<AppCertificate>;
  AppPage: ResolverTypeWrapper<Omit<AppPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['App']>, edges: ReadonlyArray<ResolversTypes['AppEdge']> }>;
  CreatedApp: ResolverTypeWrapper<CreatedAppNode>;
  CreatedAppSecret: ResolverTypeWrapper<CreatedAppSecret>;
  AppCertificateInput: AppCertificateInput;
  CreateAppInput: CreateAppInput;
  UpdateAppInput: UpdateAppInput;
  CredentialKind: CredentialKind;
  AuditCredentials: ResolverTypeWrapper<AuditCredentialsNode>;
  SessionCredentials: ResolverTypeWrapper<SessionCredentials>;
  ApiKeyCredentials: ResolverTypeWrapper<ApiKeyCredentials>;
  CertificateCredentials: ResolverTypeWrapper<CertificateCredentials>;
  AppCredentials: ResolverTypeWrapper<AppCredentials>;
  BrowserCredentials: ResolverTypeWrapper<BrowserCredentials>;
  OperatorCredentials: ResolverTypeWrapper<OperatorCredentials>;
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
  RefundPage: ResolverTypeWrapper<Omit<RefundPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversTypes['Refund']>, edges: ReadonlyArray<ResolversTypes['RefundEdge']> }>;
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
  CreatedWebhook: ResolverTypeWrapper<CreatedWebhookNode>;
  CreatedWebhookSecret: ResolverTypeWrapper<CreatedWebhookSecretNode>;
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
  RefundEdge: ResolverTypeWrapper<Omit<RefundEdge, 'node'> & { node: ResolversTypes['Refund'] }>;
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
  CreatedApiKey: CreatedApiKeyNode;
  CreateApiKeyInput: CreateApiKeyInput;
  App: AppNode;
  AppCertificate: AppCertificate;
  AppPage: Omit<AppPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['App']>, edges: ReadonlyArray<ResolversParentTypes['AppEdge']> };
  CreatedApp: CreatedAppNode;
  CreatedAppSecret: CreatedAppSecret;
  AppCertificateInput: AppCertificateInput;
  CreateAppInput: CreateAppInput;
  UpdateAppInput: UpdateAppInput;
  AuditCredentials: AuditCredentialsNode;
  SessionCredentials: SessionCredentials;
  ApiKeyCredentials: ApiKeyCredentials;
  CertificateCredentials: CertificateCredentials;
  AppCredentials: AppCredentials;
  BrowserCredentials: BrowserCredentials;
  OperatorCredentials: OperatorCredentials;
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
  RefundPage: Omit<RefundPage, 'nodes' | 'edges'> & { nodes: ReadonlyArray<ResolversParentTypes['Refund']>, edges: ReadonlyArray<ResolversParentTypes['RefundEdge']> };
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
  CreatedWebhook: CreatedWebhookNode;
  CreatedWebhookSecret: CreatedWebhookSecretNode;
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
  RefundEdge: Omit<RefundEdge, 'node'> & { node: ResolversParentTypes['Refund'] };
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
  or?: Maybe<Scalars['String']['input']>;
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
  generated?: Scalars['Boolean']['input'];
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
  unchecked?: Maybe<Scalars['Boolean']['input']>;
};

export type ConstraintDirectiveResolver<Result, Parent, ContextType = Context, Args = ConstraintDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AcceptsDirectiveArgs = {
  minItems?: Maybe<Scalars['Int']['input']>;
  above?: Maybe<Scalars['Int']['input']>;
  min?: Maybe<Scalars['Int']['input']>;
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
  delivery?: Resolver<Maybe<ResolversTypes['WebhookDelivery']>, ParentType, ContextType, RequireFields<ActivityDeliveryArgs, 'webhookId'>>;
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
  streamCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
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
  refund?: Resolver<Maybe<ResolversTypes['Refund']>, ParentType, ContextType, RequireFields<QueryRefundArgs, 'chargeId' | 'refundId'>>;
  refunds?: Resolver<Maybe<ResolversTypes['RefundPage']>, ParentType, ContextType, RequireFields<QueryRefundsArgs, 'chargeId' | 'first'>>;
  clientCertificate?: Resolver<Maybe<ResolversTypes['ClientCertificate']>, ParentType, ContextType, RequireFields<QueryClientCertificateArgs, 'id'>>;
  clientCertificates?: Resolver<ResolversTypes['ClientCertificatePage'], ParentType, ContextType, RequireFields<QueryClientCertificatesArgs, 'first'>>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType, RequireFields<QueryDocumentArgs, 'org' | 'id'>>;
  documents?: Resolver<ResolversTypes['DocumentPage'], ParentType, ContextType, RequireFields<QueryDocumentsArgs, 'org' | 'first'>>;
  share?: Resolver<Maybe<ResolversTypes['Share']>, ParentType, ContextType, RequireFields<QueryShareArgs, 'org' | 'documentId' | 'userId'>>;
  grant?: Resolver<Maybe<ResolversTypes['Grant']>, ParentType, ContextType, RequireFields<QueryGrantArgs, 'id'>>;
  grants?: Resolver<ResolversTypes['GrantPage'], ParentType, ContextType, RequireFields<QueryGrantsArgs, 'all' | 'first'>>;
  installation?: Resolver<Maybe<ResolversTypes['Installation']>, ParentType, ContextType, RequireFields<QueryInstallationArgs, 'id'>>;
  installations?: Resolver<ResolversTypes['InstallationPage'], ParentType, ContextType, RequireFields<QueryInstallationsArgs, 'first'>>;
  invitation?: Resolver<Maybe<ResolversTypes['Invitation']>, ParentType, ContextType, RequireFields<QueryInvitationArgs, 'org' | 'id'>>;
  invitations?: Resolver<ResolversTypes['InvitationPage'], ParentType, ContextType, RequireFields<QueryInvitationsArgs, 'org' | 'first'>>;
  receivedInvitation?: Resolver<ResolversTypes['ReceivedInvitation'], ParentType, ContextType, RequireFields<QueryReceivedInvitationArgs, 'token'>>;
  members?: Resolver<ResolversTypes['UserPage'], ParentType, ContextType, RequireFields<QueryMembersArgs, 'org' | 'first'>>;
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, RequireFields<QueryOrderArgs, 'id'>>;
  orders?: Resolver<ResolversTypes['OrderPage'], ParentType, ContextType, RequireFields<QueryOrdersArgs, 'userId' | 'sort' | 'page' | 'limit'>>;
  organisationOrders?: Resolver<ResolversTypes['OrderConnection'], ParentType, ContextType, RequireFields<QueryOrganisationOrdersArgs, 'sort' | 'first'>>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType, RequireFields<QueryProductArgs, 'id'>>;
  products?: Resolver<ResolversTypes['ProductPage'], ParentType, ContextType, RequireFields<QueryProductsArgs, 'archived' | 'first'>>;
  session?: Resolver<Maybe<ResolversTypes['ActiveSession']>, ParentType, ContextType, RequireFields<QuerySessionArgs, 'id'>>;
  sessions?: Resolver<ResolversTypes['ActiveSessionPage'], ParentType, ContextType, RequireFields<QuerySessionsArgs, 'all' | 'first'>>;
  operationUses?: Resolver<ResolversTypes['OperationUseConnection'], ParentType, ContextType, RequireFields<QueryOperationUsesArgs, 'first'>>;
  deprecatedUses?: Resolver<ResolversTypes['DeprecatedUseConnection'], ParentType, ContextType, RequireFields<QueryDeprecatedUsesArgs, 'first'>>;
  me?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType, RequireFields<QueryWebhookArgs, 'id'>>;
  webhooks?: Resolver<ResolversTypes['WebhookPage'], ParentType, ContextType, RequireFields<QueryWebhooksArgs, 'first'>>;
  webhookDelivery?: Resolver<Maybe<ResolversTypes['WebhookDelivery']>, ParentType, ContextType, RequireFields<QueryWebhookDeliveryArgs, 'webhookId' | 'deliveryId'>>;
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
  refund?: Resolver<Maybe<ResolversTypes['Refund']>, ParentType, ContextType>;
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
  apiKey?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType>;
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
  postLogoutRedirectUris?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
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
  app?: Resolver<ResolversTypes['App'], ParentType, ContextType>;
  clientSecret?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['AppType'], ParentType, ContextType>;
  redirectUris?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  postLogoutRedirectUris?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  tokenFormat?: Resolver<ResolversTypes['TokenFormat'], ParentType, ContextType>;
  homepageUrl?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CreatedAppSecretResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreatedAppSecret'] = ResolversParentTypes['CreatedAppSecret']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  clientId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  clientSecret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AuditCredentialsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AuditCredentials'] = ResolversParentTypes['AuditCredentials']> = {
  __resolveType?: TypeResolveFn<'SessionCredentials' | 'ApiKeyCredentials' | 'CertificateCredentials' | 'AppCredentials' | 'BrowserCredentials' | 'OperatorCredentials', ParentType, ContextType>;
};

export type SessionCredentialsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['SessionCredentials'] = ResolversParentTypes['SessionCredentials']> = {
  kind?: Resolver<ResolversTypes['CredentialKind'], ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ApiKeyCredentialsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiKeyCredentials'] = ResolversParentTypes['ApiKeyCredentials']> = {
  kind?: Resolver<ResolversTypes['CredentialKind'], ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type CertificateCredentialsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CertificateCredentials'] = ResolversParentTypes['CertificateCredentials']> = {
  kind?: Resolver<ResolversTypes['CredentialKind'], ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AppCredentialsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AppCredentials'] = ResolversParentTypes['AppCredentials']> = {
  kind?: Resolver<ResolversTypes['CredentialKind'], ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type BrowserCredentialsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['BrowserCredentials'] = ResolversParentTypes['BrowserCredentials']> = {
  kind?: Resolver<ResolversTypes['CredentialKind'], ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type OperatorCredentialsResolvers<ContextType = Context, ParentType extends ResolversParentTypes['OperatorCredentials'] = ResolversParentTypes['OperatorCredentials']> = {
  kind?: Resolver<ResolversTypes['CredentialKind'], ParentType, ContextType>;
  id?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
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
  __resolveType?: TypeResolveFn<'Activity' | 'Order' | 'Charge' | 'ApiKey' | 'App' | 'ClientCertificate' | 'Document' | 'User' | 'Grant' | 'Installation' | 'Invitation' | 'Product' | 'ActiveSession' | 'Webhook', ParentType, ContextType>;
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
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
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

export type RefundPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RefundPage'] = ResolversParentTypes['RefundPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Refund']>, ParentType, ContextType>;
  edges?: Resolver<ReadonlyArray<ResolversTypes['RefundEdge']>, ParentType, ContextType>;
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
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
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
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  clientId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  appName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
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
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  org?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['InvitationStatus'], ParentType, ContextType>;
  invitedById?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
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
  archived?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
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
  nodeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  address?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  current?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
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
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  webhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
  secret?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreatedWebhookSecretResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreatedWebhookSecret'] = ResolversParentTypes['CreatedWebhookSecret']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  webhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType>;
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
  delivery?: Resolver<Maybe<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
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

export type RefundEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['RefundEdge'] = ResolversParentTypes['RefundEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Refund'], ParentType, ContextType>;
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
  SessionCredentials?: SessionCredentialsResolvers<ContextType>;
  ApiKeyCredentials?: ApiKeyCredentialsResolvers<ContextType>;
  CertificateCredentials?: CertificateCredentialsResolvers<ContextType>;
  AppCredentials?: AppCredentialsResolvers<ContextType>;
  BrowserCredentials?: BrowserCredentialsResolvers<ContextType>;
  OperatorCredentials?: OperatorCredentialsResolvers<ContextType>;
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
  RefundPage?: RefundPageResolvers<ContextType>;
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
  RefundEdge?: RefundEdgeResolvers<ContextType>;
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
