/** Times at the ends of the range, for every argument that is a time. The arguments are those of the schema and of the routes. */
import { getNamedType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import type { Included } from './generated-inputs.ts';
import { type Operation, operations } from './generated-operations.ts';

/** The time that is generated for every argument of this type. */
const SAMPLE = '2026-09-01T12:00:00.000Z';

/** Valid times, which a filter accepts. */
const VALID = [
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00.001Z',
  '0000-12-31T23:00:00-01:00',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.9999Z',
];

const INVALID = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-01:00',
  '-000001-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
];

/** The optional parts with which an operation takes a time, each with its innermost path. */
function formsWithTime(operation: Operation, included: Included = new Map()): Included[] {
  const { values, further } = operation.generate(() => 1, included);
  if (JSON.stringify(values).includes(SAMPLE)) return [included];
  const last = [...included.keys()].at(-1);
  const inside = further.filter((one) => {
    const path = [...one.keys()].at(-1) ?? '';
    return one.size === 1 || (last !== undefined && path.startsWith(`${last}.`));
  });
  return inside.flatMap((one) => formsWithTime(operation, one));
}

const cases = operations.flatMap((operation) =>
  formsWithTime(operation).map((included) => {
    const { values } = operation.generate(() => 1, included);
    const [, name] = new RegExp(`"(\\w+)":"${SAMPLE}"`).exec(JSON.stringify(values)) ?? [];
    return { title: `${operation.name} with ${name}`, operation, included };
  }),
);

/** Messages whose signature is verified first, and whose time is compared with the clock. */
const SIGNED = /recordPaymentEvent|payment-events/;

/** The names of all arguments and members of inputs that are times, with the fields that have the arguments. */
const declared = Object.values(schema.getTypeMap()).flatMap((type) => {
  const isTime = (one: { readonly type: Parameters<typeof getNamedType>[0] }) =>
    getNamedType(one.type)?.name === 'DateTime';
  if (isInputObjectType(type)) {
    return Object.values(type.getFields())
      .filter(isTime)
      .map(({ name }) => name);
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).flatMap(({ name, args }) =>
    args.filter(isTime).map((argument) => `${type.name}.${name} with ${argument.name}`),
  );
});

test('every argument that is a time is tested', () => {
  const titles = cases.map(({ title }) => title);
  expect(declared.filter((name) => !titles.some((title) => title.endsWith(name)))).toEqual([]);
  expect(declared.length).toBeGreaterThan(5);
});

describeEachEngine('a time', (engine) => {
  // The generated selections include all fields.
  const app = startApp(engine, { operations: { cost: 1_000_000 } });
  let headers: Record<string, string>;

  beforeAll(async () => {
    const { token } = await app.signIn('ada');
    headers = { authorization: `Bearer ${token}` };
  });

  describe.each(cases.filter(({ title }) => !SIGNED.test(title)))('$title', ({ operation, included }) => {
    const send = (time: string) => {
      const { values } = operation.generate(() => 1, included);
      return operation.ask(app, JSON.parse(JSON.stringify(values).replaceAll(SAMPLE, time)), headers);
    };

    test.each(VALID)('may be %s', async (time) => {
      const { code, text } = await send(time);
      // A time in the past may be refused by the domain, but not as a value.
      expect(operation.reads ? ['answered'] : ['answered', 'validation_failed'], text).toContain(code);
    });

    test.each(INVALID)('is refused as %s', async (time) => {
      const { code, text } = await send(time);
      expect(['invalid_parameter', 'validation_failed', 'invalid_variables'], text).toContain(code);
      expect(text).toMatch(/must be (in the years 0001 to 9999|a time as RFC 3339)/);
    });
  });
});
