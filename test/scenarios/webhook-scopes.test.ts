/** Webhooks send a caller only events that its scopes let it read in the feed, for every event type and every door. */
import { beforeEach, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/auth/policy.ts';
import { attemptsAt, finishAttempt } from '../../src/db/queries/webhook-attempts.ts';
import { acceptDelivery } from '../../src/db/queries/webhook-deliveries.ts';
import { EVENT_CATALOGUE, EVENT_TYPES, matchesPattern, TYPE_PATTERNS } from '../../src/events/catalogue.ts';
import { deliverEvents } from '../../src/webhooks/deliveries.ts';
import { startApp } from '../support/app.ts';
import { codesOf } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { expectError, writesNothing } from '../support/expectations.ts';
import { createKey } from '../support/fixtures/api-keys.ts';
import { addWebhook, deliveriesOf } from '../support/fixtures/webhooks.ts';

const OWN: readonly Scope[] = ['manage:webhooks'];
const MOVED = 'https://other.example.com/';

/** The scopes that a webhook with this pattern requires besides `manage:webhooks`. */
const scopesOf = (pattern: string): readonly string[] =>
  SCOPES.filter(
    (scope) =>
      scope === 'read:feed' ||
      (scope !== 'manage:webhooks' &&
        EVENT_TYPES.some((type) => matchesPattern([pattern], type) && EVENT_CATALOGUE[type].scope === scope)),
  );

describeEachEngine('a webhook', (engine) => {
  const app = startApp(engine, { webhooks: { resolve: async () => ['93.184.215.14'] } });

  beforeEach(async () => {
    const { body } = await app.get<{ data: { id: number }[] }>('/v1/webhooks?limit=100', { as: 'ada' });
    for (const { id } of body.data) await app.delete(`/v1/webhooks/${id}`, { as: 'ada' });
  });

  const withScopes = async (scopes: readonly string[]) => ({
    as: { token: (await app.signIn('ada', [...scopes])).token },
  });
  const bodyOf = (types: readonly string[]) => ({ url: 'https://hooks.example.com/', types });

  /** Adds a delivery, with an attempt that is due. @returns its id. */
  const addDeliveryOf = async (webhookId: number, type: string) => {
    await engine.database.transaction((tx) =>
      deliverEvents(tx, { id: webhookId, org: 'acme' }, [{ id: webhookId, type }], 2, new Date()),
    );
    const [delivery] = await deliveriesOf(app, webhookId);
    if (!delivery) throw new Error('There is no delivery.');
    return delivery.id;
  };

  /** Records that a delivery's first attempt succeeded. */
  const endDelivery = (deliveryId: number) =>
    engine.database.transaction(async (tx) => {
      const [attempt] = await attemptsAt(tx, { org: 'acme', deliveryIds: [deliveryId] });
      if (!attempt) throw new Error('The delivery has no attempt.');
      const result = { durationMs: 1, httpStatus: 204, error: null, answer: '' };
      await finishAttempt(tx, { ...attempt, ...result, finishedAt: new Date() });
      await acceptDelivery(tx, { org: 'acme', id: deliveryId }, new Date());
    });

  test.each(TYPE_PATTERNS)('for %s requires the scopes of its events', async (pattern) => {
    const required = scopesOf(pattern);
    const refused = await writesNothing(app, async () =>
      app.post('/v1/webhooks', { ...(await withScopes(OWN)), body: bodyOf([pattern]) }),
    );
    expectError(refused, { status: 403, code: 'insufficient_scope' });
    const challenge = refused.headers.get('www-authenticate');
    expect(challenge).toContain('error="insufficient_scope"');
    expect(challenge).toContain(`scope="${required.join(' ')}"`);
    // No type is readable without one of them.
    const without = required.slice(0, -1);
    const body = bodyOf([pattern]);
    const almost = await app.post('/v1/webhooks', { ...(await withScopes([...OWN, ...without])), body });
    expectError(almost, { status: 403, code: 'insufficient_scope' });
    const made = await app.post('/v1/webhooks', { ...(await withScopes([...OWN, ...required])), body });
    expect(made.status).toBe(201);
  });

  test('with GraphQL or an API key requires them as well', async () => {
    const document = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
    const variables = { input: bodyOf(['order.*']) };
    const answer = await app.graphql(document, variables, await withScopes(OWN));
    expect(codesOf(answer)).toEqual(['insufficient_scope']);
    const { key } = await createKey(app, { scopes: OWN });
    const headers = { authorization: `ApiKey ${key}` };
    const refused = await app.post('/v1/webhooks', { headers, body: bodyOf(['order.*']) });
    expectError(refused, { status: 403, code: 'insufficient_scope' });
  });

  const ORDERS = ['read:feed', 'read:orders'];

  describe('that exists', () => {
    test.each([
      ['pausing it', OWN, { enabled: false }, undefined],
      ['a part of its types', OWN, { types: ['order.created'] }, undefined],
      ['types that it had by a pattern', OWN, { types: ['order.created', 'order.shipped'] }, undefined],
      ['other types', OWN, { types: ['order.*', 'document.*'] }, 'read:docs read:feed'],
      ['other types instead', [...OWN, ...ORDERS], { types: ['charge.*'] }, 'read:charges'],
      [
        'all types',
        [...OWN, ...ORDERS, 'read:docs'],
        { types: ['*'] },
        'read:users read:charges manage:api-keys manage:apps',
      ],
      ['a new URL', OWN, { url: MOVED }, 'read:orders read:feed'],
      ['a new URL', [...OWN, ...ORDERS], { url: MOVED }, undefined],
      ['a new URL for fewer types', OWN, { url: MOVED, types: ['order.created'] }, 'read:orders read:feed'],
      ['a new URL for other types', [...OWN, ...ORDERS], { url: MOVED, types: ['user.*'] }, 'read:users'],
    ])('%s with %j', async (_title, scopes, body, missing) => {
      const { id } = await addWebhook(app, { types: ['order.*'] });
      const response = await app.patch(`/v1/webhooks/${id}`, { ...(await withScopes(scopes)), body });
      if (missing === undefined) return expect(response.status).toBe(200);
      expectError(response, { status: 403, code: 'insufficient_scope' });
      const scope = SCOPES.filter((each) => missing.split(' ').includes(each)).join(' ');
      return expect(response.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
    });

    test.each([
      ['pending messages', async () => undefined],
      [
        'redeliveries of delivered messages',
        async (webhookId: number, deliveryId: number) => {
          await endDelivery(deliveryId);
          await app.post(`/v1/webhooks/${webhookId}/deliveries/${deliveryId}/attempts`, { as: 'ada' });
        },
      ],
    ])('takes no %s to a URL of a caller who may not read them', async (_title, prepare) => {
      const { id } = await addWebhook(app, { types: ['order.*'] });
      await prepare(id, await addDeliveryOf(id, 'document.created'));
      const caller = await withScopes([...OWN, ...ORDERS]);
      const refused = await writesNothing(app, () =>
        app.patch(`/v1/webhooks/${id}`, { ...caller, body: { url: MOVED } }),
      );
      expectError(refused, { status: 403, code: 'insufficient_scope' });
      expect(refused.headers.get('www-authenticate')).toContain('scope="read:docs"');
    });

    test('changes its URL whatever messages were delivered', async () => {
      const { id } = await addWebhook(app, { types: ['order.*'] });
      await endDelivery(await addDeliveryOf(id, 'document.created'));
      const caller = await withScopes([...OWN, ...ORDERS]);
      const changed = await app.patch(`/v1/webhooks/${id}`, { ...caller, body: { url: MOVED } });
      expect(changed.status).toBe(200);
    });

    test('sends a message again only for a caller who may read it', async () => {
      const { id } = await addWebhook(app, { types: ['order.*'] });
      const delivery = await addDeliveryOf(id, 'document.created');
      const path = `/v1/webhooks/${id}/deliveries/${delivery}/attempts`;
      const refused = await writesNothing(app, async () =>
        app.post(path, await withScopes([...OWN, ...ORDERS])),
      );
      expectError(refused, { status: 403, code: 'insufficient_scope' });
      const sent = await app.post(path, await withScopes([...OWN, 'read:feed', 'read:docs']));
      expect(sent.status).toBe(201);
    });
  });
});
