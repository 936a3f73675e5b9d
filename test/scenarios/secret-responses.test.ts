/**
 * Responses with a credential are never cached: for each such field of the schema, with a new and with a
 * known document.
 */
import { getNamedType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { isSecret } from '../../src/graphql/directives/secret.ts';
import { rootFields } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { generate } from './generated-inputs.ts';

const cases = rootFields.flatMap(({ name, field }) => {
  const type = getNamedType(field.type);
  const members = isObjectType(type) ? Object.values(type.getFields()) : [];
  return members.filter(isSecret).map((member) => ({ name, field, member: member.name }));
});

describeEachEngine('responses with credentials', (engine) => {
  const app = startApp(engine);

  test.each(cases)('$name { $member }', async ({ field, member }) => {
    const inputs = field.args.map((argument) => ({ ...argument, declared: argument }));
    const { values } = generate(inputs, () => 1);
    const given = field.args.filter(({ name }) => name in values);
    const declared = given.map(({ name, type }) => `$${name}: ${type}`);
    const passed = given.map(({ name }) => `${name}: $${name}`);
    const query = `mutation (${declared}) { ${field.name}(${passed}) { ${member} } }`;
    for (const sight of ['first', 'second']) {
      const { headers } = await app.graphql(query, values, { as: 'ada' });
      expect(headers.get('cache-control'), sight).toBe('no-store');
    }
  });

  test('and responses without secrets', async () => {
    const { headers } = await app.graphql('{ me { name } }', {}, { as: 'ada' });
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });
});
