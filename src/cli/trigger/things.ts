/** The objects that recipes create. Those that grant access or receive messages are removed again. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { linkToInvitation } from '../../mail/compose.ts';
import { CommandError } from '../errors.ts';
import type { TriggerClient } from './client.ts';

export interface Made {
  readonly id: string;
}

interface Secret extends Made {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The password of people that exist only while a recipe runs. */
export const PASSWORD = randomUUID();

/** A name that never resolves, so that no mail and no webhook message arrives (RFC 2606, section 2). */
const NOWHERE = 'trigger.invalid';

const newAddress = () => `${randomUUID()}@${NOWHERE}`;

export const createProduct = (client: TriggerClient): Promise<Made> =>
  client.run(
    'mutation { createProduct(input: { name: "Triggered", unitPrice: 19.99, currency: "USD" }) { id } }',
    {},
  );

/** Returns the items of an order, with an existing product if there is one. */
export async function orderedItems(client: TriggerClient, qty: number): Promise<readonly object[]> {
  const { nodes } = await client.run<{ readonly nodes: readonly Made[] }>(
    '{ products(first: 1) { nodes { id } } }',
    {},
  );
  const { id } = nodes[0] ?? (await createProduct(client));
  return [{ productId: id, qty }];
}

export const createOrder = async (client: TriggerClient): Promise<Made> =>
  client.run('mutation ($input: CreateOrderInput!) { createOrder(input: $input) { id } }', {
    input: { userId: client.userId, items: await orderedItems(client, 1) },
  });

export const createDocument = (client: TriggerClient): Promise<Made> =>
  client.run(
    'mutation ($org: String!) { createDocument(org: $org, input: { title: "Triggered", body: "By portico trigger." }) { id } }',
    { org: client.org },
  );

/** Creates a charge; a declined one has an empty id. @param source a payment source of the sandbox. */
export async function createCharge(client: TriggerClient, source: string): Promise<Made> {
  const key = randomUUID();
  try {
    return await client.run(
      `mutation ($source: String!, $key: String!) {
        createCharge(input: { amount: { value: 19.99, currency: "USD" }, source: $source }, idempotencyKey: $key) { id }
      }`,
      { source, key },
    );
  } catch (error) {
    if (error instanceof ApiError && error.code === 'card_declined') return { id: '' };
    throw error;
  }
}

export const createInvitation = (client: TriggerClient): Promise<Made & { readonly expiresAt: string }> =>
  client.run(
    `mutation ($org: String!, $email: String!) {
      createInvitation(org: $org, input: { email: $email, role: viewer }) { id expiresAt }
    }`,
    { org: client.org, email: newAddress() },
  );

/** Returns the token in the link of an invitation. */
export async function invitationToken(
  { org, app }: TriggerClient,
  invitation: Made & { readonly expiresAt: string },
): Promise<string> {
  const { database, publicUrl } = app.services;
  const link = await linkToInvitation(
    database,
    { org, id: Number(invitation.id), expiresAt: new Date(invitation.expiresAt) },
    { clock: systemClock, publicUrl },
  );
  return new URL(link).hash.slice(1);
}

export async function withApiKey(client: TriggerClient): Promise<void> {
  const { id } = await client.run<Made>(
    'mutation { createApiKey(input: { name: "Triggered", scopes: ["read:feed"] }) { id } }',
    {},
  );
  await client.run('mutation ($id: ID!) { revokeApiKey(id: $id) }', { id });
}

export async function withClientCertificate(client: TriggerClient): Promise<void> {
  const match = { sanUri: `urn:uuid:${randomUUID()}` };
  const { id } = await client.run<Made>(
    `mutation ($match: ClientCertificateMatchInput!) {
      createClientCertificate(input: { name: "Triggered", match: $match, scopes: ["read:feed"] }) { id }
    }`,
    { match },
  );
  await client.run('mutation ($id: ID!) { revokeClientCertificate(id: $id) }', { id });
}

/** Runs work with a service app, which is installed on creation. */
export async function withApp(client: TriggerClient, work: (app: Secret) => Promise<unknown>): Promise<void> {
  const app = await client.run<Secret>(
    'mutation { createApp(input: { name: "Triggered", type: service, scopes: ["read:feed"] }) { id clientId clientSecret } }',
    {},
  );
  try {
    await work(app);
  } finally {
    await client.run('mutation ($id: ID!) { deleteApp(id: $id) }', { id: app.id });
  }
}

/** Requests a token with an app's client credentials. */
export async function requestToken(
  { app }: TriggerClient,
  { clientId, clientSecret }: Secret,
): Promise<void> {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const request = new Request(new URL('/oauth/token', app.services.publicUrl), {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { statusCode, body } = await app.http.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: Object.fromEntries(request.headers),
    payload: await request.text(),
  });
  if (statusCode !== 200) throw new CommandError(`The app got no token: ${body}`);
}

/** Runs work with a viewer of the organisation. */
export async function withMember(
  client: TriggerClient,
  work: (member: Made & { readonly email: string }) => Promise<unknown>,
): Promise<void> {
  const { org } = client;
  const email = newAddress();
  const { id } = await client.run<Made>(
    'mutation ($org: String!, $input: CreateMemberInput!) { createMember(org: $org, input: $input) { id } }',
    { org, input: { email, name: 'Triggered', role: 'viewer', password: PASSWORD } },
  );
  try {
    await work({ id, email });
  } finally {
    await client.run('mutation ($org: String!, $id: ID!) { deleteMember(org: $org, userId: $id) }', {
      org,
      id,
    });
  }
}

/** Runs work with a webhook that has no receiver. */
export async function withWebhook(
  client: TriggerClient,
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  const { id } = await client.run<Made>(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }',
    { input: { url: `https://${NOWHERE}/`, types: ['webhook.tested'] } },
  );
  try {
    await work(id);
  } finally {
    await client.run('mutation ($id: ID!) { deleteWebhook(id: $id) }', { id });
  }
}
