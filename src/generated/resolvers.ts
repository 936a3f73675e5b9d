import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { ActivityNode, ActorNode } from '../../resolvers/activity/nodes.ts';
import type { ApiKeyNode } from '../../resolvers/api-key/resolvers.ts';
import type { ChargeNode } from '../../resolvers/charge/resolvers.ts';
import type { DocumentNode, ShareNode } from '../../resolvers/document/nodes.ts';
import type { OrderNode, ItemNode } from '../../resolvers/order/nodes.ts';
import type { PaymentEventReceiptNode } from '../../resolvers/payment-event/notices.ts';
import type { ProductNode } from '../../resolvers/product/resolvers.ts';
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
export type Activity = {
  /** Identifier. Later events have greater ones. */
  readonly id: Scalars['ID']['output'];
  /** The event type, as subject and past participle: `document.created`. */
  readonly type: Scalars['String']['output'];
  /**
   * The position of this event. From the feed and from a subscription it is the position in the log: `activity(after:)`, `orderChanged(after:)`
   * and Last-Event-ID resume from it, with any filter. From a document's history it is the position in that history.
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
};

/** The subject of an event. */
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
  /** The events of your organisation that you may see, newest first. */
  readonly feed: ActivityPage;
  /** One API key of your organisation, including revoked and expired ones. */
  readonly apiKey?: Maybe<ApiKey>;
  /** The API keys of your organisation. */
  readonly apiKeys: ApiKeyPage;
  /** One charge of your organisation. */
  readonly charge?: Maybe<Charge>;
  /** The charges of your organisation, newest first. */
  readonly charges: ChargePage;
  /** One document of your organisation. */
  readonly document?: Maybe<Document>;
  /** The documents of your organisation that you may read. */
  readonly documents: DocumentPage;
  /** The share of one person, for callers who may change the document. */
  readonly share?: Maybe<Share>;
  /** The active people of your organisation. */
  readonly members: UserPage;
  /** One order of your organisation. */
  readonly order?: Maybe<Order>;
  /**
   * The orders of one person, page by page. A page past the end is empty. One that begins after more than 10,000 orders is
   * refused with `page_too_deep`: filter by status, or sort the other way round.
   */
  readonly orders: OrderPage;
  /** One product of your organisation. */
  readonly product?: Maybe<Product>;
  /** The products of your organisation. */
  readonly products: ProductPage;
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
export type QueryFeedArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  types?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryApiKeyArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryApiKeysArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


/** Reads. Fields of `Query` change nothing. */
export type QueryChargeArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryChargesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
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
};


/** Reads. Fields of `Query` change nothing. */
export type QueryShareArgs = {
  org: Scalars['String']['input'];
  documentId: Scalars['ID']['input'];
  userId: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryMembersArgs = {
  org: Scalars['String']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
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
export type QueryProductArgs = {
  id: Scalars['ID']['input'];
};


/** Reads. Fields of `Query` change nothing. */
export type QueryProductsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
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
};


/** Reads. Fields of `Query` change nothing. */
export type QueryWebhookDeliveriesArgs = {
  webhookId: Scalars['ID']['input'];
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};

/** Changes. Fields of `Mutation` run one after the other. */
export type Mutation = {
  /**
   * Marks events as read for the caller. It never moves back: an older event than the last one
   * marked changes nothing.
   */
  readonly markFeedRead: User;
  /** Creates an API key that acts for you. */
  readonly createApiKey: CreatedApiKey;
  /** Revokes an API key at once. Repeating it changes nothing. Gives the key's id. */
  readonly revokeApiKey: Scalars['ID']['output'];
  /**
   * Charges a payment source, once for each idempotency key. `card_declined` is final, and leaves a failed charge. After
   * `payment_gateway_failed` and `payment_gateway_unavailable`, retry the same request with the same key.
   */
  readonly createCharge: Charge;
  /** Refunds a charge in full. */
  readonly refundCharge: Charge;
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
   * Applies a payment provider's message about a charge. Messages are signed by the provider and sent over HTTP; they are
   * refused everywhere else.
   */
  readonly recordPaymentEvent: PaymentEventReceipt;
  /**
   * Applies an event of Stripe about a charge. Stripe sends and signs events over HTTP; they are refused everywhere else. Events of
   * payments, charges and refunds count, and others change nothing.
   */
  readonly recordStripeEvent: PaymentEventReceipt;
  /** Signs in with an email address and a password. An unknown address and a wrong password get the same response. */
  readonly login?: Maybe<Session>;
  /**
   * Exchanges a refresh token for the next pair. Each refresh token is valid once; reuse ends
   * the whole session, since the token may have leaked.
   */
  readonly refreshSession: Session;
  /** Ends the session of a refresh token. Issued access tokens stay valid until they expire. */
  readonly logout: Scalars['Boolean']['output'];
  /** Changes a person's account. People change their own; admins with `write:users` change any. */
  readonly updateUser: User;
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
export type MutationCreateChargeArgs = {
  input: CreateChargeInput;
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRefundChargeArgs = {
  id: Scalars['ID']['input'];
  idempotencyKey?: InputMaybe<Scalars['String']['input']>;
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
export type MutationRecordPaymentEventArgs = {
  input: PaymentEventInput;
};


/** Changes. Fields of `Mutation` run one after the other. */
export type MutationRecordStripeEventArgs = {
  event: Scalars['JSON']['input'];
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
export type ApiKey = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
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

/** The state of a charge. */
export type ChargeStatus =
  /** The outcome is not known yet. The server queries the payment provider for it; a retry with its idempotency key does so at once. */
  | 'pending'
  /** The money was taken. */
  | 'succeeded'
  /** The source was declined, and no money moved. */
  | 'failed'
  /** The money was refunded. */
  | 'refunded';

/** An exact amount of money. */
export type Money = {
  /** The amount in the currency's usual unit: 19.99. */
  readonly value: Scalars['Decimal']['output'];
  /** The currency code (ISO 4217). */
  readonly currency: Scalars['String']['output'];
};

/** A charge of a payment source. */
export type Charge = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
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
  /** Incremented by each change. */
  readonly version: Scalars['Int']['output'];
  /** When the charge was created. */
  readonly createdAt: Scalars['DateTime']['output'];
  /** When the charge was last changed. */
  readonly updatedAt: Scalars['DateTime']['output'];
};

/** A page of charges, newest first. */
export type ChargePage = {
  /** The charges of this page. */
  readonly nodes: ReadonlyArray<Charge>;
  /** The position of the last charge of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
};

/** An order of a person. */
export type Order = {
  /** Charges for this order, newest first. */
  readonly charges: ReadonlyArray<Charge>;
  /**
   * True when successful, unrefunded charges equal the order total. Of an order with more than 100 of
   * them, the 100 largest count.
   */
  readonly paid: Scalars['Boolean']['output'];
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
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
export type OrderChargesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
};


/** An order of a person. */
export type OrderItemsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
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
export type Document = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
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

/** A person in an organisation. */
export type User = {
  /**
   * Documents of the person that the caller may read, by time of creation. By default the first 20; the two arguments
   * exclude each other. Only the first or last 200 documents of the person are searched.
   */
  readonly documents: ReadonlyArray<Document>;
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The short name of the organisation. */
  readonly org: Scalars['String']['output'];
  /** The display name. */
  readonly name: Scalars['String']['output'];
  /** The address the person signs in with. Empty for removed people. */
  readonly email: Scalars['String']['output'];
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


/** A person in an organisation. */
export type UserDocumentsArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  last?: InputMaybe<Scalars['Int']['input']>;
};


/** A person in an organisation. */
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

/** A page of people, oldest first. */
export type UserPage = {
  /** The people of this page. */
  readonly nodes: ReadonlyArray<User>;
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

/** A product. */
export type Product = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
  /** The name. */
  readonly name: Scalars['String']['output'];
  /** Price of one piece, in the currency's usual unit. */
  readonly unitPrice: Scalars['Float']['output'];
  /** The currency of the price (ISO 4217). */
  readonly currency: Scalars['String']['output'];
  /** The URL of a thumbnail. */
  readonly thumbnailUrl: Scalars['String']['output'];
  /** When it was added. */
  readonly createdAt: Scalars['DateTime']['output'];
};

/** A page of products, oldest first. */
export type ProductPage = {
  /** The products of this page. */
  readonly nodes: ReadonlyArray<Product>;
  /** The position of the last product of this page; pass it as `after` to continue. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether there are more pages. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** `endCursor` while there are more pages, null at the end of the list. */
  readonly nextCursor?: Maybe<Scalars['String']['output']>;
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

/** The role of a person in the organisation. */
export type Role =
  /** Full access to the organisation. */
  | 'admin'
  /** Reads everything, and writes orders, documents and charges. */
  | 'editor'
  /** Reads. */
  | 'viewer';

/** Changes of a person. Omitted members stay unchanged. */
export type UpdateUserInput = {
  /** The display name. */
  readonly name?: InputMaybe<Scalars['String']['input']>;
};

/** A receiver of the organisation's events, sent as Standard Webhooks messages. */
export type Webhook = {
  /** Identifier. */
  readonly id: Scalars['ID']['output'];
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





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Actor: ResolverTypeWrapper<ActorNode>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Activity: ResolverTypeWrapper<ActivityNode>;
  Subject: ResolverTypeWrapper<Subject>;
  ActivityPage: ResolverTypeWrapper<Omit<ActivityPage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['Activity']> }>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ApiKey: ResolverTypeWrapper<ApiKeyNode>;
  ApiKeyPage: ResolverTypeWrapper<Omit<ApiKeyPage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['ApiKey']> }>;
  CreatedApiKey: ResolverTypeWrapper<CreatedApiKey>;
  CreateApiKeyInput: CreateApiKeyInput;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  Decimal: ResolverTypeWrapper<Scalars['Decimal']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  OffsetPageInfo: ResolverTypeWrapper<OffsetPageInfo>;
  ChargeStatus: ChargeStatus;
  Money: ResolverTypeWrapper<Money>;
  Charge: ResolverTypeWrapper<ChargeNode>;
  ChargePage: ResolverTypeWrapper<Omit<ChargePage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['Charge']> }>;
  Order: ResolverTypeWrapper<OrderNode>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  MoneyInput: MoneyInput;
  CreateChargeInput: CreateChargeInput;
  Classification: Classification;
  ShareRelation: ShareRelation;
  Document: ResolverTypeWrapper<DocumentNode>;
  Share: ResolverTypeWrapper<ShareNode>;
  DocumentPage: ResolverTypeWrapper<Omit<DocumentPage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['Document']> }>;
  User: ResolverTypeWrapper<UserNode>;
  CreateDocumentInput: CreateDocumentInput;
  UpdateDocumentInput: UpdateDocumentInput;
  CreateShareInput: CreateShareInput;
  UserPage: ResolverTypeWrapper<Omit<UserPage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['User']> }>;
  CreateMemberInput: CreateMemberInput;
  UpdateMemberInput: UpdateMemberInput;
  OrderStatus: OrderStatus;
  OrderSort: OrderSort;
  Item: ResolverTypeWrapper<ItemNode>;
  OrderPage: ResolverTypeWrapper<Omit<OrderPage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['Order']> }>;
  OrderItemInput: OrderItemInput;
  CreateOrderInput: CreateOrderInput;
  UpdateOrderInput: UpdateOrderInput;
  PaymentEventReceipt: ResolverTypeWrapper<PaymentEventReceiptNode>;
  PaymentEventInput: PaymentEventInput;
  Product: ResolverTypeWrapper<ProductNode>;
  ProductPage: ResolverTypeWrapper<Omit<ProductPage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['Product']> }>;
  Session: ResolverTypeWrapper<Session>;
  Role: Role;
  UpdateUserInput: UpdateUserInput;
  Webhook: ResolverTypeWrapper<WebhookNode>;
  WebhookDisabledReason: WebhookDisabledReason;
  WebhookPage: ResolverTypeWrapper<Omit<WebhookPage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['Webhook']> }>;
  CreatedWebhook: ResolverTypeWrapper<CreatedWebhook>;
  CreatedWebhookSecret: ResolverTypeWrapper<CreatedWebhookSecret>;
  WebhookDelivery: ResolverTypeWrapper<WebhookDeliveryNode>;
  WebhookDeliveryStatus: WebhookDeliveryStatus;
  WebhookDeliveryPage: ResolverTypeWrapper<Omit<WebhookDeliveryPage, 'nodes'> & { nodes: ReadonlyArray<ResolversTypes['WebhookDelivery']> }>;
  WebhookAttempt: ResolverTypeWrapper<WebhookAttemptNode>;
  WebhookAttemptTrigger: WebhookAttemptTrigger;
  WebhookAttemptError: WebhookAttemptError;
  CreateWebhookInput: CreateWebhookInput;
  UpdateWebhookInput: UpdateWebhookInput;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Actor: ActorNode;
  ID: Scalars['ID']['output'];
  Activity: ActivityNode;
  Subject: Subject;
  ActivityPage: Omit<ActivityPage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['Activity']> };
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
  ApiKey: ApiKeyNode;
  ApiKeyPage: Omit<ApiKeyPage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['ApiKey']> };
  CreatedApiKey: CreatedApiKey;
  CreateApiKeyInput: CreateApiKeyInput;
  DateTime: Scalars['DateTime']['output'];
  Decimal: Scalars['Decimal']['output'];
  JSON: Scalars['JSON']['output'];
  OffsetPageInfo: OffsetPageInfo;
  Money: Money;
  Charge: ChargeNode;
  ChargePage: Omit<ChargePage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['Charge']> };
  Order: OrderNode;
  Float: Scalars['Float']['output'];
  MoneyInput: MoneyInput;
  CreateChargeInput: CreateChargeInput;
  Document: DocumentNode;
  Share: ShareNode;
  DocumentPage: Omit<DocumentPage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['Document']> };
  User: UserNode;
  CreateDocumentInput: CreateDocumentInput;
  UpdateDocumentInput: UpdateDocumentInput;
  CreateShareInput: CreateShareInput;
  UserPage: Omit<UserPage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['User']> };
  CreateMemberInput: CreateMemberInput;
  UpdateMemberInput: UpdateMemberInput;
  Item: ItemNode;
  OrderPage: Omit<OrderPage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['Order']> };
  OrderItemInput: OrderItemInput;
  CreateOrderInput: CreateOrderInput;
  UpdateOrderInput: UpdateOrderInput;
  PaymentEventReceipt: PaymentEventReceiptNode;
  PaymentEventInput: PaymentEventInput;
  Product: ProductNode;
  ProductPage: Omit<ProductPage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['Product']> };
  Session: Session;
  UpdateUserInput: UpdateUserInput;
  Webhook: WebhookNode;
  WebhookPage: Omit<WebhookPage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['Webhook']> };
  CreatedWebhook: CreatedWebhook;
  CreatedWebhookSecret: CreatedWebhookSecret;
  WebhookDelivery: WebhookDeliveryNode;
  WebhookDeliveryPage: Omit<WebhookDeliveryPage, 'nodes'> & { nodes: ReadonlyArray<ResolversParentTypes['WebhookDelivery']> };
  WebhookAttempt: WebhookAttemptNode;
  CreateWebhookInput: CreateWebhookInput;
  UpdateWebhookInput: UpdateWebhookInput;
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
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actorId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  actor?: Resolver<Maybe<ResolversTypes['Actor']>, ParentType, ContextType>;
  subjectType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subjectId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  subject?: Resolver<ResolversTypes['Subject'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type SubjectResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subject'] = ResolversParentTypes['Subject']> = {
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
};

export type ActivityPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ActivityPage'] = ResolversParentTypes['ActivityPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Activity']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  feed?: Resolver<ResolversTypes['ActivityPage'], ParentType, ContextType, RequireFields<QueryFeedArgs, 'first'>>;
  apiKey?: Resolver<Maybe<ResolversTypes['ApiKey']>, ParentType, ContextType, RequireFields<QueryApiKeyArgs, 'id'>>;
  apiKeys?: Resolver<ResolversTypes['ApiKeyPage'], ParentType, ContextType, RequireFields<QueryApiKeysArgs, 'first'>>;
  charge?: Resolver<Maybe<ResolversTypes['Charge']>, ParentType, ContextType, RequireFields<QueryChargeArgs, 'id'>>;
  charges?: Resolver<ResolversTypes['ChargePage'], ParentType, ContextType, RequireFields<QueryChargesArgs, 'first'>>;
  document?: Resolver<Maybe<ResolversTypes['Document']>, ParentType, ContextType, RequireFields<QueryDocumentArgs, 'org' | 'id'>>;
  documents?: Resolver<ResolversTypes['DocumentPage'], ParentType, ContextType, RequireFields<QueryDocumentsArgs, 'org' | 'first'>>;
  share?: Resolver<Maybe<ResolversTypes['Share']>, ParentType, ContextType, RequireFields<QueryShareArgs, 'org' | 'documentId' | 'userId'>>;
  members?: Resolver<ResolversTypes['UserPage'], ParentType, ContextType, RequireFields<QueryMembersArgs, 'org' | 'first'>>;
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType, RequireFields<QueryOrderArgs, 'id'>>;
  orders?: Resolver<ResolversTypes['OrderPage'], ParentType, ContextType, RequireFields<QueryOrdersArgs, 'userId' | 'sort' | 'page' | 'limit'>>;
  product?: Resolver<Maybe<ResolversTypes['Product']>, ParentType, ContextType, RequireFields<QueryProductArgs, 'id'>>;
  products?: Resolver<ResolversTypes['ProductPage'], ParentType, ContextType, RequireFields<QueryProductsArgs, 'first'>>;
  me?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, RequireFields<QueryUserArgs, 'id'>>;
  webhook?: Resolver<Maybe<ResolversTypes['Webhook']>, ParentType, ContextType, RequireFields<QueryWebhookArgs, 'id'>>;
  webhooks?: Resolver<ResolversTypes['WebhookPage'], ParentType, ContextType, RequireFields<QueryWebhooksArgs, 'first'>>;
  webhookDeliveries?: Resolver<Maybe<ResolversTypes['WebhookDeliveryPage']>, ParentType, ContextType, RequireFields<QueryWebhookDeliveriesArgs, 'webhookId' | 'first'>>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  markFeedRead?: Resolver<ResolversTypes['User'], ParentType, ContextType, Partial<MutationMarkFeedReadArgs>>;
  createApiKey?: Resolver<ResolversTypes['CreatedApiKey'], ParentType, ContextType, RequireFields<MutationCreateApiKeyArgs, 'input'>>;
  revokeApiKey?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationRevokeApiKeyArgs, 'id'>>;
  createCharge?: Resolver<ResolversTypes['Charge'], ParentType, ContextType, RequireFields<MutationCreateChargeArgs, 'input'>>;
  refundCharge?: Resolver<ResolversTypes['Charge'], ParentType, ContextType, RequireFields<MutationRefundChargeArgs, 'id'>>;
  createDocument?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationCreateDocumentArgs, 'org' | 'input'>>;
  updateDocument?: Resolver<ResolversTypes['Document'], ParentType, ContextType, RequireFields<MutationUpdateDocumentArgs, 'org' | 'id' | 'input'>>;
  deleteDocument?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteDocumentArgs, 'org' | 'id'>>;
  createShare?: Resolver<ResolversTypes['Share'], ParentType, ContextType, RequireFields<MutationCreateShareArgs, 'org' | 'documentId' | 'input'>>;
  deleteShare?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteShareArgs, 'org' | 'documentId' | 'userId'>>;
  createMember?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationCreateMemberArgs, 'org' | 'input'>>;
  updateMember?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationUpdateMemberArgs, 'org' | 'userId' | 'input'>>;
  deleteMember?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteMemberArgs, 'org' | 'userId'>>;
  createOrder?: Resolver<ResolversTypes['Order'], ParentType, ContextType, RequireFields<MutationCreateOrderArgs, 'input'>>;
  updateOrder?: Resolver<ResolversTypes['Order'], ParentType, ContextType, RequireFields<MutationUpdateOrderArgs, 'id' | 'input'>>;
  deleteOrder?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteOrderArgs, 'id'>>;
  recordPaymentEvent?: Resolver<ResolversTypes['PaymentEventReceipt'], ParentType, ContextType, RequireFields<MutationRecordPaymentEventArgs, 'input'>>;
  recordStripeEvent?: Resolver<ResolversTypes['PaymentEventReceipt'], ParentType, ContextType, RequireFields<MutationRecordStripeEventArgs, 'event'>>;
  login?: Resolver<Maybe<ResolversTypes['Session']>, ParentType, ContextType, RequireFields<MutationLoginArgs, 'email' | 'password'>>;
  refreshSession?: Resolver<ResolversTypes['Session'], ParentType, ContextType, RequireFields<MutationRefreshSessionArgs, 'refreshToken'>>;
  logout?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType, RequireFields<MutationLogoutArgs, 'refreshToken'>>;
  updateUser?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationUpdateUserArgs, 'id' | 'input'>>;
  createWebhook?: Resolver<ResolversTypes['CreatedWebhook'], ParentType, ContextType, RequireFields<MutationCreateWebhookArgs, 'input'>>;
  updateWebhook?: Resolver<ResolversTypes['Webhook'], ParentType, ContextType, RequireFields<MutationUpdateWebhookArgs, 'id' | 'input'>>;
  deleteWebhook?: Resolver<ResolversTypes['ID'], ParentType, ContextType, RequireFields<MutationDeleteWebhookArgs, 'id'>>;
  createWebhookSecret?: Resolver<ResolversTypes['CreatedWebhookSecret'], ParentType, ContextType, RequireFields<MutationCreateWebhookSecretArgs, 'webhookId'>>;
  createWebhookAttempt?: Resolver<ResolversTypes['WebhookAttempt'], ParentType, ContextType, RequireFields<MutationCreateWebhookAttemptArgs, 'webhookId' | 'deliveryId'>>;
};

export type SubscriptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  activity?: SubscriptionResolver<ResolversTypes['Activity'], "activity", ParentType, ContextType, Partial<SubscriptionActivityArgs>>;
  orderChanged?: SubscriptionResolver<Maybe<ResolversTypes['Order']>, "orderChanged", ParentType, ContextType, RequireFields<SubscriptionOrderChangedArgs, 'id'>>;
};

export type ApiKeyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiKey'] = ResolversParentTypes['ApiKey']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  prefix?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scopes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  ownerId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  owner?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type ApiKeyPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiKeyPage'] = ResolversParentTypes['ApiKeyPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ApiKey']>, ParentType, ContextType>;
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

export type MoneyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Money'] = ResolversParentTypes['Money']> = {
  value?: Resolver<ResolversTypes['Decimal'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ChargeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Charge'] = ResolversParentTypes['Charge']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  amount?: Resolver<ResolversTypes['Money'], ParentType, ContextType>;
  minorAmount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['ChargeStatus'], ParentType, ContextType>;
  source?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  failureCode?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  orderId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  order?: Resolver<Maybe<ResolversTypes['Order']>, ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ChargePageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ChargePage'] = ResolversParentTypes['ChargePage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Charge']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type OrderResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Order'] = ResolversParentTypes['Order']> = {
  charges?: Resolver<ReadonlyArray<ResolversTypes['Charge']>, ParentType, ContextType, RequireFields<OrderChargesArgs, 'first'>>;
  paid?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['OrderStatus'], ParentType, ContextType>;
  total?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  items?: Resolver<ReadonlyArray<ResolversTypes['Item']>, ParentType, ContextType, Partial<OrderItemsArgs>>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type DocumentResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Document'] = ResolversParentTypes['Document']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
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
};

export type ShareResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Share'] = ResolversParentTypes['Share']> = {
  userId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  relation?: Resolver<ResolversTypes['ShareRelation'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type DocumentPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['DocumentPage'] = ResolversParentTypes['DocumentPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Document']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  nextCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type UserResolvers<ContextType = Context, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  documents?: Resolver<ReadonlyArray<ResolversTypes['Document']>, ParentType, ContextType, Partial<UserDocumentsArgs>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  org?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  avatarUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  unreadNotifications?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  orders?: Resolver<ReadonlyArray<ResolversTypes['Order']>, ParentType, ContextType, Partial<UserOrdersArgs>>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  removedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type UserPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UserPage'] = ResolversParentTypes['UserPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['User']>, ParentType, ContextType>;
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

export type PaymentEventReceiptResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PaymentEventReceipt'] = ResolversParentTypes['PaymentEventReceipt']> = {
  applied?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  charge?: Resolver<Maybe<ResolversTypes['Charge']>, ParentType, ContextType>;
};

export type ProductResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Product'] = ResolversParentTypes['Product']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  unitPrice?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  thumbnailUrl?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ProductPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ProductPage'] = ResolversParentTypes['ProductPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Product']>, ParentType, ContextType>;
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

export type WebhookResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Webhook'] = ResolversParentTypes['Webhook']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  types?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  enabled?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  disabledReason?: Resolver<Maybe<ResolversTypes['WebhookDisabledReason']>, ParentType, ContextType>;
  disabledAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  formerSecretUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type WebhookPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookPage'] = ResolversParentTypes['WebhookPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Webhook']>, ParentType, ContextType>;
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
  eventId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WebhookDeliveryStatus'], ParentType, ContextType>;
  attempts?: Resolver<ReadonlyArray<ResolversTypes['WebhookAttempt']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type WebhookDeliveryPageResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDeliveryPage'] = ResolversParentTypes['WebhookDeliveryPage']> = {
  nodes?: Resolver<ReadonlyArray<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
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

export type Resolvers<ContextType = Context> = {
  Actor?: ActorResolvers<ContextType>;
  Activity?: ActivityResolvers<ContextType>;
  Subject?: SubjectResolvers<ContextType>;
  ActivityPage?: ActivityPageResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  ApiKey?: ApiKeyResolvers<ContextType>;
  ApiKeyPage?: ApiKeyPageResolvers<ContextType>;
  CreatedApiKey?: CreatedApiKeyResolvers<ContextType>;
  DateTime?: GraphQLScalarType;
  Decimal?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  OffsetPageInfo?: OffsetPageInfoResolvers<ContextType>;
  Money?: MoneyResolvers<ContextType>;
  Charge?: ChargeResolvers<ContextType>;
  ChargePage?: ChargePageResolvers<ContextType>;
  Order?: OrderResolvers<ContextType>;
  Document?: DocumentResolvers<ContextType>;
  Share?: ShareResolvers<ContextType>;
  DocumentPage?: DocumentPageResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  UserPage?: UserPageResolvers<ContextType>;
  Item?: ItemResolvers<ContextType>;
  OrderPage?: OrderPageResolvers<ContextType>;
  PaymentEventReceipt?: PaymentEventReceiptResolvers<ContextType>;
  Product?: ProductResolvers<ContextType>;
  ProductPage?: ProductPageResolvers<ContextType>;
  Session?: SessionResolvers<ContextType>;
  Webhook?: WebhookResolvers<ContextType>;
  WebhookPage?: WebhookPageResolvers<ContextType>;
  CreatedWebhook?: CreatedWebhookResolvers<ContextType>;
  CreatedWebhookSecret?: CreatedWebhookSecretResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  WebhookDeliveryPage?: WebhookDeliveryPageResolvers<ContextType>;
  WebhookAttempt?: WebhookAttemptResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = Context> = {
  auth?: AuthDirectiveResolver<any, any, ContextType>;
  public?: PublicDirectiveResolver<any, any, ContextType>;
  once?: OnceDirectiveResolver<any, any, ContextType>;
  cost?: CostDirectiveResolver<any, any, ContextType>;
  listSize?: ListSizeDirectiveResolver<any, any, ContextType>;
  idempotent?: IdempotentDirectiveResolver<any, any, ContextType>;
  constraint?: ConstraintDirectiveResolver<any, any, ContextType>;
  sunset?: SunsetDirectiveResolver<any, any, ContextType>;
  secret?: SecretDirectiveResolver<any, any, ContextType>;
  errors?: ErrorsDirectiveResolver<any, any, ContextType>;
  example?: ExampleDirectiveResolver<any, any, ContextType>;
  shared?: SharedDirectiveResolver<any, any, ContextType>;
};
