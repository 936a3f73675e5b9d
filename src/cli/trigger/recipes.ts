/** The recipes that cause each type of event. */
import type { EventType } from '../../events/catalogue.ts';
import type { TriggerClient } from './client.ts';
import {
  changing,
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
interface Unavailable {
  readonly reason: string;
}

/** A recipe that creates an object, and changes it by root fields with the variables `$id` and `$org`. */
const after =
  (create: (client: TriggerClient) => Promise<Made>, fields: string): Recipe =>
  async (client) =>
    client.run(changing(fields), { id: (await create(client)).id });

/** The same, for an object that is removed afterwards. */
const within =
  (
    around: (client: TriggerClient, work: (thing: Made) => Promise<unknown>) => Promise<void>,
    fields: string,
  ): Recipe =>
  (client) =>
    around(client, ({ id }) => client.run(changing(fields), { id }));

async function refund(client: TriggerClient, amount?: object): Promise<unknown> {
  const { id } = await createCharge(client, 'tok_visa');
  const text = 'mutation ($id: ID!, $amount: MoneyInput) { refundCharge(id: $id, amount: $amount) { id } }';
  return client.run(text, { id, amount });
}

async function shareDocument(
  client: TriggerClient,
  { id: userId }: Made,
): Promise<{ id: string; userId: string }> {
  const shared = { id: (await createDocument(client)).id, userId };
  await client.run(
    `mutation ($org: String!, $id: ID!, $userId: ID!) {
      createShare(org: $org, documentId: $id, input: { userId: $userId, relation: reader }) { relation }
    }`,
    shared,
  );
  return shared;
}

async function acceptInvitation(client: TriggerClient): Promise<void> {
  const { id } = await client.run<Made>(
    'mutation ($token: String!, $password: String!) { acceptInvitation(token: $token, name: "Triggered", password: $password) { id } }',
    { token: await invitationToken(client), password: PASSWORD },
    null,
  );
  await client.run(changing('deleteMember(org: $org, userId: $id)'), { id });
}

const endSession = (client: TriggerClient) =>
  withMember(client, async ({ id, email }) => {
    await client.run(
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { tokenType } }',
      { email, password: PASSWORD },
      null,
    );
    const { nodes } = await client.run<{ readonly nodes: readonly Made[] }>(
      'query ($id: ID!) { sessions(userId: $id) { nodes { id } } }',
      { id },
    );
    for (const session of nodes) await client.run(changing('endSession(id: $id)'), { id: session.id });
  });

/** Two secrets are valid at once: the third one ends the grants of the first. */
const rotateSecrets = (client: TriggerClient) =>
  withApp(client, async (app) => {
    await requestToken(client, app);
    const text = changing('createAppSecret(appId: $id) { id }');
    await client.run(text, { id: app.id });
    await client.run(text, { id: app.id });
  });

/** A new resource may lack recipes, which `recipeFor` reports. */
const RECIPES: Readonly<Partial<Record<EventType, Recipe | Unavailable>>> = {
  'api_key.created': withApiKey,
  'api_key.revoked': withApiKey,
  'app.installed': withApp,
  'app.uninstalled': withApp,
  'charge.succeeded': (client) => createCharge(client, 'tok_visa'),
  'charge.failed': (client) => createCharge(client, 'tok_declined'),
  'charge.partially_refunded': (client) => refund(client, { value: 5, currency: 'USD' }),
  'charge.refunded': (client) => refund(client),
  'client_certificate.created': withClientCertificate,
  'client_certificate.revoked': withClientCertificate,
  'document.created': createDocument,
  'document.updated': after(
    createDocument,
    'updateDocument(org: $org, id: $id, input: { title: "Triggered again" }) { id }',
  ),
  'document.deleted': after(createDocument, 'deleteDocument(org: $org, id: $id)'),
  'document.shared': (client) => withMember(client, (member) => shareDocument(client, member)),
  'document.unshared': (client) =>
    withMember(client, async (member) =>
      client.run(
        'mutation ($org: String!, $id: ID!, $userId: ID!) { deleteShare(org: $org, documentId: $id, userId: $userId) }',
        await shareDocument(client, member),
      ),
    ),
  'grant.created': (client) => withApp(client, (app) => requestToken(client, app)),
  'grant.revoked': rotateSecrets,
  'invitation.created': createInvitation,
  'invitation.revoked': after(createInvitation, 'revokeInvitation(org: $org, id: $id)'),
  'invitation.accepted': acceptInvitation,
  'order.created': createOrder,
  'order.updated': async (client) =>
    client.run(
      'mutation ($id: ID!, $input: UpdateOrderInput!) { updateOrder(id: $id, input: $input) { id } }',
      {
        id: (await createOrder(client)).id,
        input: { items: await orderedItems(client, 2) },
      },
    ),
  'order.cancelled': after(createOrder, 'updateOrder(id: $id, input: { status: cancelled }) { id }'),
  'order.shipped': after(createOrder, 'updateOrder(id: $id, input: { status: shipped }) { id }'),
  'order.deleted': after(createOrder, 'deleteOrder(id: $id)'),
  'product.created': createProduct,
  'product.updated': after(
    createProduct,
    'updateProduct(id: $id, input: { name: "Triggered again" }) { id }',
  ),
  'product.archived': after(createProduct, 'archiveProduct(id: $id) { id }'),
  'product.restored': after(
    createProduct,
    'archiveProduct(id: $id) { id } updateProduct(id: $id, input: { archived: false }) { id }',
  ),
  'session.revoked': endSession,
  'user.added': withMember,
  'user.updated': within(withMember, 'updateUser(id: $id, input: { name: "Triggered again" }) { id }'),
  'user.role_changed': within(
    withMember,
    'updateMember(org: $org, userId: $id, input: { role: editor }) { id }',
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
  'user.removed': withMember,
  'webhook.created': withWebhook,
  'webhook.updated': within(withWebhook, 'updateWebhook(id: $id, input: { types: ["order.*"] }) { id }'),
  'webhook.secret_rotated': within(withWebhook, 'createWebhookSecret(webhookId: $id) { id }'),
  'webhook.tested': within(withWebhook, 'createWebhookTest(webhookId: $id) { id }'),
  'webhook.disabled': {
    reason:
      'Servers disable webhooks themselves: at once if a receiver returns 410, otherwise after days of failed attempts.',
  },
  'webhook.deleted': withWebhook,
};

/** Returns the recipe of an event type, or why it has none. */
export const recipeFor = (type: EventType): Recipe | Unavailable =>
  RECIPES[type] ?? { reason: 'This command has no recipe for it yet.' };
