/** The recipes that cause each type of event. */
import type { EventType } from '../../events/catalogue.ts';
import type { TriggerClient } from './client.ts';
import {
  createCharge,
  createDocument,
  createInvitation,
  createOrder,
  createProduct,
  invitationToken,
  type Made,
  orderedItems,
  PASSWORD,
  requestToken,
  withApiKey,
  withApp,
  withClientCertificate,
  withMember,
  withWebhook,
} from './things.ts';

/** Causes an event through operations of clients. It creates what they need, and afterwards removes what grants access. */
export type Recipe = (client: TriggerClient) => Promise<unknown>;

/** Why operations alone cannot cause an event, and what does. */
export interface Unavailable {
  readonly reason: string;
}

const UPDATE_ORDER =
  'mutation ($id: ID!, $input: UpdateOrderInput!) { updateOrder(id: $id, input: $input) { id } }';
const REFUND = 'mutation ($id: ID!, $amount: MoneyInput) { refundCharge(id: $id, amount: $amount) { id } }';
const UPDATE_DOCUMENT = `mutation ($org: String!, $id: ID!, $input: UpdateDocumentInput!) {
  updateDocument(org: $org, id: $id, input: $input) { id }
}`;
const SHARE = `mutation ($org: String!, $id: ID!, $input: CreateShareInput!) {
  createShare(org: $org, documentId: $id, input: $input) { relation }
}`;

const updateOrder = async (client: TriggerClient, input: object) =>
  client.run(UPDATE_ORDER, { id: (await createOrder(client)).id, input });

async function shareDocument(client: TriggerClient, member: Made): Promise<string> {
  const { org } = client;
  const { id } = await createDocument(client);
  await client.run(SHARE, { org, id, input: { userId: member.id, relation: 'reader' } });
  return id;
}

async function refund(client: TriggerClient, amount?: object): Promise<unknown> {
  const { id } = await createCharge(client, 'tok_visa');
  return client.run(REFUND, { id, amount });
}

async function acceptInvitation(client: TriggerClient): Promise<void> {
  const { org } = client;
  const token = await invitationToken(client, await createInvitation(client));
  const { id } = await client.run<Made>(
    'mutation ($token: String!, $password: String!) { acceptInvitation(token: $token, name: "Triggered", password: $password) { id } }',
    { token, password: PASSWORD },
    null,
  );
  await client.run('mutation ($org: String!, $id: ID!) { deleteMember(org: $org, userId: $id) }', {
    org,
    id,
  });
}

async function endSession(
  client: TriggerClient,
  { id, email }: Made & { readonly email: string },
): Promise<void> {
  await client.run(
    'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { tokenType } }',
    { email, password: PASSWORD },
    null,
  );
  const { nodes } = await client.run<{ readonly nodes: readonly Made[] }>(
    'query ($id: ID!) { sessions(userId: $id) { nodes { id } } }',
    { id },
  );
  for (const session of nodes)
    await client.run('mutation ($id: ID!) { endSession(id: $id) }', { id: session.id });
}

/** Two secrets are valid at once: the third one ends the grants of the first. */
const rotateSecrets = (client: TriggerClient) =>
  withApp(client, async (app) => {
    await requestToken(client, app);
    const text = 'mutation ($id: ID!) { createAppSecret(appId: $id) { id } }';
    await client.run(text, { id: app.id });
    await client.run(text, { id: app.id });
  });

/** A new resource may lack recipes, which `recipeFor` reports. */
const RECIPES: Readonly<Partial<Record<EventType, Recipe | Unavailable>>> = {
  'api_key.created': (client) => withApiKey(client),
  'api_key.revoked': (client) => withApiKey(client),
  'app.installed': (client) => withApp(client, async () => undefined),
  'app.uninstalled': (client) => withApp(client, async () => undefined),
  'charge.succeeded': (client) => createCharge(client, 'tok_visa'),
  'charge.failed': (client) => createCharge(client, 'tok_declined'),
  'charge.partially_refunded': (client) => refund(client, { value: 5, currency: 'USD' }),
  'charge.refunded': (client) => refund(client),
  'client_certificate.created': (client) => withClientCertificate(client),
  'client_certificate.revoked': (client) => withClientCertificate(client),
  'document.created': (client) => createDocument(client),
  'document.updated': async (client) =>
    client.run(UPDATE_DOCUMENT, {
      org: client.org,
      id: (await createDocument(client)).id,
      input: { title: 'Triggered again' },
    }),
  'document.deleted': async (client) =>
    client.run('mutation ($org: String!, $id: ID!) { deleteDocument(org: $org, id: $id) }', {
      org: client.org,
      id: (await createDocument(client)).id,
    }),
  'document.shared': (client) => withMember(client, (member) => shareDocument(client, member)),
  'document.unshared': (client) =>
    withMember(client, async (member) =>
      client.run(
        'mutation ($org: String!, $id: ID!, $userId: ID!) { deleteShare(org: $org, documentId: $id, userId: $userId) }',
        { org: client.org, id: await shareDocument(client, member), userId: member.id },
      ),
    ),
  'grant.created': (client) => withApp(client, (app) => requestToken(client, app)),
  'grant.revoked': rotateSecrets,
  'invitation.created': (client) => createInvitation(client),
  'invitation.revoked': async (client) =>
    client.run('mutation ($org: String!, $id: ID!) { revokeInvitation(org: $org, id: $id) }', {
      org: client.org,
      id: (await createInvitation(client)).id,
    }),
  'invitation.accepted': acceptInvitation,
  'order.created': (client) => createOrder(client),
  'order.updated': async (client) => updateOrder(client, { items: await orderedItems(client, 2) }),
  'order.cancelled': (client) => updateOrder(client, { status: 'cancelled' }),
  'order.shipped': (client) => updateOrder(client, { status: 'shipped' }),
  'order.deleted': async (client) =>
    client.run('mutation ($id: ID!) { deleteOrder(id: $id) }', { id: (await createOrder(client)).id }),
  'product.created': (client) => createProduct(client),
  'product.updated': async (client) =>
    client.run('mutation ($id: ID!) { updateProduct(id: $id, input: { name: "Triggered again" }) { id } }', {
      id: (await createProduct(client)).id,
    }),
  'product.archived': async (client) =>
    client.run('mutation ($id: ID!) { archiveProduct(id: $id) { id } }', {
      id: (await createProduct(client)).id,
    }),
  'session.revoked': (client) => withMember(client, (member) => endSession(client, member)),
  'user.added': (client) => withMember(client, async () => undefined),
  'user.updated': (client) =>
    withMember(client, ({ id }) =>
      client.run('mutation ($id: ID!) { updateUser(id: $id, input: { name: "Triggered again" }) { id } }', {
        id,
      }),
    ),
  'user.role_changed': (client) =>
    withMember(client, ({ id }) =>
      client.run(
        'mutation ($org: String!, $id: ID!) { updateMember(org: $org, userId: $id, input: { role: editor }) { id } }',
        { org: client.org, id },
      ),
    ),
  'user.password_changed': (client) =>
    withMember(client, ({ id }) =>
      client.run(
        `mutation ($id: ID!, $former: String!, $password: String!) {
          changePassword(userId: $id, currentPassword: $former, newPassword: $password)
        }`,
        { id, former: PASSWORD, password: `${PASSWORD} again` },
        { id: Number(id), role: 'viewer' },
      ),
    ),
  'user.removed': (client) => withMember(client, async () => undefined),
  'webhook.created': (client) => withWebhook(client, async () => undefined),
  'webhook.updated': (client) =>
    withWebhook(client, (id) =>
      client.run('mutation ($id: ID!) { updateWebhook(id: $id, input: { types: ["order.*"] }) { id } }', {
        id,
      }),
    ),
  'webhook.secret_rotated': (client) =>
    withWebhook(client, (id) =>
      client.run('mutation ($id: ID!) { createWebhookSecret(webhookId: $id) { id } }', { id }),
    ),
  'webhook.tested': (client) =>
    withWebhook(client, (id) =>
      client.run('mutation ($id: ID!) { createWebhookTest(webhookId: $id) { id } }', { id }),
    ),
  'webhook.disabled': {
    reason:
      'Servers disable webhooks themselves: at once if a receiver returns 410, otherwise after days of failed attempts.',
  },
  'webhook.deleted': (client) => withWebhook(client, async () => undefined),
};

/** Returns the recipe of an event type, or why it has none. */
export const recipeFor = (type: EventType): Recipe | Unavailable =>
  RECIPES[type] ?? { reason: 'This command has no recipe for it yet.' };
