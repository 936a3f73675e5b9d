/** A response with a credential is kept by no cache, for each field of the schema that is one, at first and at second sight. */
import { getNamedType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { DEMO_PASSWORD } from '../../src/cli/demo/data.ts';
import { isSecret } from '../../src/graphql/directives/secret.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { rootFields } from '../support/operations.ts';

const SIGN_IN = `login(email: "ada@acme.test", password: "${DEMO_PASSWORD}")`;

/** How each root field that gives a credential is called. */
const CALLS: Readonly<Record<string, string>> = {
  'Mutation.login': SIGN_IN,
  'Mutation.refreshSession': 'refreshSession(refreshToken: "prt_unknown")',
  'Mutation.createApiKey': 'createApiKey(input: { name: "CI", scopes: ["read:orders"] })',
  'Mutation.createWebhook': 'createWebhook(input: { url: "https://hooks.example.com/", types: ["*"] })',
  'Mutation.createWebhookSecret': 'createWebhookSecret(webhookId: 1)',
};

const cases = rootFields.flatMap(({ name, field }) => {
  const type = getNamedType(field.type);
  const members = isObjectType(type) ? Object.values(type.getFields()) : [];
  return members.filter(isSecret).map((member) => ({ name, member: member.name }));
});

describeEachEngine('responses with credentials', (engine) => {
  const app = startApp(engine);

  test.each(cases)('$name { $member }', async ({ name, member }) => {
    const call = CALLS[name];
    if (!call) throw new Error(`Teach this file how to call ${name}.`);
    const query = `mutation { ${call} { ${member} } }`;
    for (const sight of ['first', 'second']) {
      const { headers } = await app.graphql(query, {}, { as: 'ada' });
      expect(headers.get('cache-control'), sight).toBe('no-store');
    }
  });

  test('and others with none', async () => {
    const { headers } = await app.graphql('{ me { name } }', {}, { as: 'ada' });
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });
});
