/** Creates the rows that requests need to succeed, and has the bodies of such requests. */
import { randomUUID } from 'node:crypto';
import { hashSecret, LINK_TOKEN } from '../../../src/auth/random-secrets.ts';
import { DEMO_PASSWORD } from '../../../src/cli/demo/data.ts';
import { insertLinkToken } from '../../../src/db/queries/link-tokens.ts';
import type { TestApp } from '../../support/app.ts';
import type { RequestOptions } from '../../support/client.ts';
import type { TestEngine } from '../../support/engines.ts';
import { createKey } from '../../support/fixtures/api-keys.ts';
import { makeCharge, signedEvent, signedStripeEvent } from '../../support/fixtures/charges.ts';
import { shareDocument, VIC, writeDocument } from '../../support/fixtures/documents.ts';
import { addMember, claimsOf } from '../../support/fixtures/members.ts';
import { placeOrder } from '../../support/fixtures/orders.ts';
import { addForeignApp, addGrant } from '../../support/fixtures/rows.ts';
import { addDelivery, addWebhook } from '../../support/fixtures/webhooks.ts';
import type { RefundedCharge, Session } from '../../support/response-bodies.ts';

/** Creates what a request needs, as acme's administrator. Each method returns the id of a new row, unless its comment says otherwise. */
export interface Fixtures {
  /** Sends a POST. @returns the id of the created row. */
  create(path: string, body: unknown): Promise<number>;
  /** Sends a PATCH. */
  change(path: string, body: unknown): Promise<unknown>;
  order(): Promise<number>;
  charge(): Promise<number>;
  /** A refund of a new charge. */
  refund(): Promise<{ readonly chargeId: number; readonly refundId: number }>;
  product(): Promise<number>;
  /** A new idempotency key. */
  key(): string;
  /** A message of the payment provider about a charge that does not exist. */
  paymentEvent(): Pick<RequestOptions, 'headers' | 'text'>;
  /** The same in Stripe's format. */
  stripeEvent(): Pick<RequestOptions, 'headers' | 'text'>;
  member(): Promise<number>;
  apiKey(): Promise<number>;
  clientCertificate(): Promise<number>;
  /** A host name that no certificate has. */
  hostName(): string;
  app(): Promise<number>;
  /** An app that has no secret. */
  nativeApp(): Promise<number>;
  /** The client id of an app of a third organisation that is not installed anywhere. */
  foreignApp(): Promise<string>;
  /** An installation in acme. */
  installation(): Promise<number>;
  /** The member of an app that is installed in acme. */
  memberOfApp(): Promise<number>;
  /** A grant of ada to an app. */
  grant(): Promise<number>;
  webhook(): Promise<number>;
  /** A pending delivery of a webhook that is never attempted. */
  webhookDelivery(): Promise<{ readonly webhookId: number; readonly deliveryId: number }>;
  document(): Promise<number>;
  /** A document that is shared with vic. */
  sharedDocument(): Promise<number>;
  /** An unused email address. */
  email(): string;
  /** The refresh token of a new session of ed. */
  refreshToken(): Promise<string>;
  /** The id of a new session of ed. */
  session(): Promise<number>;
  /** The token of a link with which a new member can set a password. */
  resetToken(): Promise<string>;
  invitation(): Promise<number>;
  /** The token of a link to a new invitation. */
  invitationToken(email?: string): Promise<string>;
  acceptedInvitation(): Promise<number>;
}

/** Creates a new call and the rows that it needs. */
export type Making<Call> = (fixtures: Fixtures) => Call | Promise<Call>;

/** A counter for unique values, shared by all fixtures on a database. */
let serial = 0;

const hostName = () => {
  serial += 1;
  return `machine-${serial}.example`;
};

export function createFixtures(app: TestApp, engine: TestEngine): Fixtures {
  const made: number[] = [];
  // The number of apps per organisation is limited, so the oldest one is deleted. No test uses it again.
  const appOfAcme = async (input: object = APP) => {
    if (made.length >= 20) await app.request('DELETE', `/v1/apps/${made.shift()}`, { as: 'ada' });
    const { id } = (await app.post<{ id: number }>('/v1/apps', { as: 'ada', body: input })).body;
    made.push(id);
    return id;
  };
  const install = async () => {
    const body = { client_id: await addForeignApp(engine), scopes: ['read:orders'], role: 'viewer' };
    return (await app.post<{ id: number; member_id: number }>('/v1/installations', { as: 'ada', body })).body;
  };
  let formerWebhook: number | undefined;
  // The number of webhooks per organisation is limited, so the previous one is deleted. No test uses it again.
  const webhook = async () => {
    if (formerWebhook) await app.request('DELETE', `/v1/webhooks/${formerWebhook}`, { as: 'ada' });
    formerWebhook = (await addWebhook(app)).id;
    return formerWebhook;
  };
  const document = async () => (await writeDocument(app, 'ada', DOCUMENT)).id;
  const signInEd = async () => (await app.post<Session>('/v1/auth/login', { body: ED })).body;
  const invitation = async (email?: string) => {
    serial += 1;
    const body = { email: email ?? `invited-${serial}@acme.test`, role: 'viewer' };
    const path = '/v1/orgs/acme/invitations';
    return (await app.post<{ id: number }>(path, { as: 'ada', body })).body.id;
  };
  return {
    create: async (path, body) => (await app.post<{ id: number }>(path, { as: 'ada', body })).body.id,
    change: (path, body) => app.patch(path, { as: 'ada', body }),
    order: async () => (await placeOrder(app)).id,
    charge: async () => (await makeCharge(app)).id,
    refund: async () => {
      const { id: chargeId } = await makeCharge(app);
      const { body } = await app.post<RefundedCharge>(`/v2/charges/${chargeId}/refunds`, { as: 'ada' });
      return { chargeId, refundId: body.refund.id };
    },
    product: async () =>
      (await app.post<{ id: number }>('/v1/products', { as: 'ada', body: PRODUCT })).body.id,
    key: () => randomUUID(),
    stripeEvent: () =>
      signedStripeEvent(app, { type: 'payment_intent.succeeded', object: { id: 'pi_none' } }),
    paymentEvent: () => signedEvent(app, { type: 'charge.succeeded', data: { charge_id: 999_999 } }),
    document: () => document(),
    sharedDocument: async () => {
      const id = await document();
      await shareDocument(app, id, VIC, 'reader');
      return id;
    },
    apiKey: async () => (await createKey(app)).id,
    clientCertificate: async () => {
      const body = { name: 'access', match: { san_dns: hostName() }, scopes: ['read:orders'] };
      return (await app.post<{ id: number }>('/v1/client-certificates', { as: 'ada', body })).body.id;
    },
    hostName,
    app: () => appOfAcme(),
    nativeApp: () => appOfAcme({ ...APP, type: 'native', redirect_uris: ['com.example.app:/back'] }),
    foreignApp: () => addForeignApp(engine),
    installation: async () => (await install()).id,
    memberOfApp: async () => (await install()).member_id,
    grant: async () => addGrant(engine, await appOfAcme()),
    webhook,
    webhookDelivery: async () => {
      const webhookId = await webhook();
      return { webhookId, deliveryId: await addDelivery(engine, webhookId) };
    },
    member: async () => (await addMember(app, 'viewer')).id,
    email: () => {
      serial += 1;
      return `access-${serial}@acme.test`;
    },
    refreshToken: async () => (await signInEd()).refresh_token,
    invitation: () => invitation(),
    acceptedInvitation: async () => {
      const invitationId = await invitation();
      const body = { name: 'Nia Roth', password: 'blue harbour lantern' };
      await app.request('PUT', `/v1/auth/invitations/${await linkToken(engine, { invitationId })}`, { body });
      return invitationId;
    },
    resetToken: async () => linkToken(engine, { userId: (await addMember(app, 'viewer')).id }),
    invitationToken: async (email) => linkToken(engine, { invitationId: await invitation(email) }),
    session: async () => Number(claimsOf((await signInEd()).access_token)['sid']),
  };
}

/** Creates the token of a link for a password reset or an invitation in acme, as in an email. */
export async function linkToken(
  { database }: TestEngine,
  subject: { readonly userId: number } | { readonly invitationId: number },
): Promise<string> {
  const token = LINK_TOKEN.create();
  const kind = 'userId' in subject ? 'password_reset' : 'invitation';
  await database.transaction((tx) =>
    insertLinkToken(tx, {
      userId: null,
      invitationId: null,
      ...subject,
      kind,
      org: 'acme',
      tokenHash: hashSecret(token),
      createdAt: new Date(0),
      expiresAt: new Date('2100-01-01'),
    }),
  );
  return token;
}

export const PRODUCT = { name: 'Plumb bob', unit_price: 9.5, currency: 'USD' };
export const DOCUMENT = { title: 'Access', body: 'Who may.', classification: 'internal' } as const;

export const APP = {
  name: 'Access',
  type: 'web',
  redirect_uris: ['https://app.example/callback'],
  scopes: ['read:orders'],
};
export const ED = { email: 'ed@acme.test', password: DEMO_PASSWORD };
export const WEBHOOK = { url: 'https://hooks.example.com/access', types: ['order.*'] };
export const newcomer = (fixtures: Fixtures) => ({
  email: fixtures.email(),
  name: 'Nia Roth',
  role: 'viewer',
  password: 'long enough',
});
