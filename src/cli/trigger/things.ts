/** The objects that recipes create. Those that grant access or receive messages are removed again. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../core/clock.ts';
import { ApiError } from '../../core/errors.ts';
import { linkToInvitation } from '../../mail/compose.ts';
import type { Variables } from '../../pipeline/compile.ts';
import { CommandError } from '../terminal.ts';
import type { TriggerClient } from './client.ts';

export interface Made {
  readonly id: string;
}

interface MadeApp extends Made {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The password of people that exist only while a recipe runs. */
export const PASSWORD = randomUUID();

/** A name that never resolves, so that no mail and no webhook message arrives (RFC 2606, section 2). */
const NOWHERE = 'trigger.invalid';

const newAddress = () => `${randomUUID()}@${NOWHERE}`;

export const createProduct = (client: TriggerClient) =>
  client.run<Made>(
    'mutation { createProduct(input: { name: "Triggered", unitPrice: 19.99, currency: "USD" }) { id } }',
  );

/** Returns the items of an order, with an existing product if there is one. */
export async function orderedItems(client: TriggerClient, qty: number): Promise<readonly object[]> {
  const { nodes } = await client.run<{ readonly nodes: readonly Made[] }>(
    '{ products(first: 1) { nodes { id } } }',
  );
  const { id } = nodes[0] ?? (await createProduct(client));
  return [{ productId: id, qty }];
}

export const createOrder = async (client: TriggerClient) =>
  client.run<Made>('mutation ($input: CreateOrderInput!) { createOrder(input: $input) { id } }', {
    input: { userId: client.userId, items: await orderedItems(client, 1) },
  });

export const createDocument = (client: TriggerClient) =>
  client.run<Made>(
    'mutation ($org: String!) { createDocument(org: $org, input: { title: "Triggered", body: "By npx portico trigger." }) { id } }',
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

export const createInvitation = (client: TriggerClient) =>
  client.run<Made & { readonly expiresAt: string }>(
    `mutation ($org: String!, $email: String!) {
      createInvitation(org: $org, input: { email: $email, role: viewer }) { id expiresAt }
    }`,
    { email: newAddress() },
  );

/** Creates an invitation, and returns the token in its link. */
export async function invitationToken(client: TriggerClient): Promise<string> {
  const { id, expiresAt } = await createInvitation(client);
  const { database, publicUrl } = client.app.services;
  const link = await linkToInvitation(
    database,
    { org: client.org, id: Number(id), expiresAt: new Date(expiresAt) },
    { clock: systemClock, publicUrl },
  );
  return new URL(link).hash.slice(1);
}

/** Returns a mutation with these root fields, of the object `$id`, in the organisation `$org` if they name it. */
export const changing = (fields: string): string =>
  `mutation (${fields.includes('$org') ? '$org: String!, ' : ''}$id: ID!) { ${fields} }`;

/** Returns a function that creates an object by a mutation, runs work with it, and removes it by a root field. */
const around =
  <Thing extends Made>(create: string, remove: string, variables: () => Variables = () => ({})) =>
  async (
    client: TriggerClient,
    work: (thing: Thing) => Promise<unknown> = async () => undefined,
  ): Promise<void> => {
    const thing = await client.run<Thing>(create, variables());
    try {
      await work(thing);
    } finally {
      await client.run(changing(remove), { id: thing.id });
    }
  };

export const withApiKey = around(
  'mutation { createApiKey(input: { name: "Triggered", scopes: ["read:feed"] }) { id } }',
  'revokeApiKey(id: $id)',
);

export const withClientCertificate = around(
  `mutation ($match: ClientCertificateMatchInput!) {
    createClientCertificate(input: { name: "Triggered", match: $match, scopes: ["read:feed"] }) { id }
  }`,
  'revokeClientCertificate(id: $id)',
  () => ({ match: { sanUri: `urn:uuid:${randomUUID()}` } }),
);

/** Runs work with a service app, which is installed on creation. */
export const withApp = around<MadeApp>(
  'mutation { createApp(input: { name: "Triggered", type: service, scopes: ["read:feed"] }) { id clientId clientSecret } }',
  'deleteApp(id: $id)',
);

/** Runs work with a viewer of the organisation. */
export const withMember = around<Made & { readonly email: string }>(
  'mutation ($org: String!, $input: CreateMemberInput!) { createMember(org: $org, input: $input) { id email } }',
  'deleteMember(org: $org, userId: $id)',
  () => ({ input: { email: newAddress(), name: 'Triggered', role: 'viewer', password: PASSWORD } }),
);

/** Runs work with a webhook that has no receiver. */
export const withWebhook = around(
  'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }',
  'deleteWebhook(id: $id)',
  () => ({ input: { url: `https://${NOWHERE}/`, types: ['webhook.tested'] } }),
);

/** Requests a token with an app's client credentials. */
export async function requestToken(
  { app }: TriggerClient,
  { clientId, clientSecret }: MadeApp,
): Promise<void> {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const { statusCode, body } = await app.http.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: {
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: 'grant_type=client_credentials',
  });
  if (statusCode !== 200) throw new CommandError(`The app got no token: ${body}`);
}
