/** Invalid literals in documents, for every scalar that an argument has: the error has the location, the type and the value. */
import { getNamedType, isInputObjectType, isInterfaceType, isObjectType, isScalarType } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';

/** A document with an invalid literal for each scalar, with the literal. */
const INVALID: Readonly<Record<string, readonly (readonly [document: string, literal: string])[]>> = {
  Decimal: [
    ['{ organisationOrders(currency: "USD", minTotal: "1") { endCursor } }', '"1"'],
    ['{ organisationOrders(currency: "USD", minTotal: true) { endCursor } }', 'true'],
  ],
  DateTime: [
    ['{ organisationOrders(createdAfter: "today") { endCursor } }', '"today"'],
    ['{ organisationOrders(createdAfter: 1) { endCursor } }', '1'],
    ['{ auditLog(createdBefore: "0000-01-01T00:00:00Z") { endCursor } }', '"0000-01-01T00:00:00Z"'],
  ],
  ID: [['{ organisationOrders(userId: 1.5) { endCursor } }', '1.5']],
  Int: [['{ organisationOrders(first: "1") { endCursor } }', '"1"']],
  String: [['{ organisationOrders(currency: 1) { endCursor } }', '1']],
  Boolean: [['{ grants(all: "true") { endCursor } }', '"true"']],
  // Every literal is valid.
  JSON: [],
};

/** The names of the scalars of arguments and of members of inputs. */
const used = new Set(
  Object.values(schema.getTypeMap()).flatMap((type) => {
    const inputs = isInputObjectType(type)
      ? Object.values(type.getFields())
      : isObjectType(type) || isInterfaceType(type)
        ? Object.values(type.getFields()).flatMap(({ args }) => args)
        : [];
    return inputs.map((input) => getNamedType(input.type)).filter(isScalarType);
  }),
);

// Documents are validated before the database is used.
describeOnSqlite('an invalid literal', (engine) => {
  const app = startApp(engine);

  test.each([...used].map(({ name }) => name))('of %s is named, with its location', async (name) => {
    const cases = INVALID[name];
    if (!cases) throw new Error(`Add invalid literals of ${name}.`);
    for (const [document, literal] of cases) {
      const { body, text } = await app.graphql(document, {}, { as: 'ada' });
      const [error] = body.errors ?? [];
      expect(error, text).toMatchObject({
        message: expect.stringContaining(literal),
        locations: [{ line: 1, column: document.indexOf(`: ${literal}`) + 3 }],
        extensions: { code: 'graphql_validation_failed' },
      });
      expect(error?.message).toContain(name);
    }
  });
});
