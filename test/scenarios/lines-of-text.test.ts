/**
 * One rule for every single-line string that users write, wherever it is sent. The inputs are derived from
 * the schema.
 */
import {
  type GraphQLArgument,
  type GraphQLInputField,
  GraphQLString,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { addOrganisation } from '../../src/auth/organisations.ts';
import { systemClock } from '../../src/core/clock.ts';
import { constraintOf } from '../../src/graphql/directives/constraint.ts';
import { factsOf } from '../access/shared/rules.ts';
import { rootFields, schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import type { Included } from './generated-inputs.ts';
import { operations } from './generated-operations.ts';

/** A String input: an argument of a root field, or a member of one. */
interface TextInput {
  readonly field: string;
  /** The path, from the argument on. */
  readonly path: readonly string[];
  readonly isLine: boolean;
  /** The maximum number of characters, as in openapi.json. */
  readonly most: number | undefined;
}

type Input = GraphQLArgument | GraphQLInputField;

function textInputs(field: string, inputs: readonly Input[], before: readonly string[] = []): TextInput[] {
  return inputs.flatMap((input) => {
    const path = [...before, input.name];
    const type = getNamedType(input.type);
    if (isInputObjectType(type)) return textInputs(field, Object.values(type.getFields()), path);
    if (type !== GraphQLString) return [];
    const { line, maxLength } = constraintOf(schema, input) ?? {};
    return [{ field, path, isLine: line === true, most: maxLength }];
  });
}

const inputs = rootFields.flatMap(({ name, field }) => textInputs(name, field.args));

/** Strings in other formats, by the last name of their path. Their resolvers validate them. */
const OTHERS: Readonly<Record<string, string>> = {
  ...factsOf('texts'),
  after: 'a cursor of the server',
  before: 'a cursor of the server',
  idempotencyKey: 'visible ASCII',
  org: 'the short name of an organisation',
};

const isOther = ({ path }: TextInput) => Object.hasOwn(OTHERS, path.at(-1) ?? '');
const lines = inputs.filter((input) => input.isLine && !isOther(input));

test('every input string is a line of text, or is listed as another format', () => {
  expect(lines.length).toBeGreaterThan(4);
  const unknown = inputs.filter((input) => !input.isLine && !isOther(input));
  expect(unknown, 'give these `line: true`, or declare them in `texts` of test/access/<resource>.ts').toEqual(
    [],
  );
  const unused = Object.keys(OTHERS).filter((name) => !inputs.some(({ path }) => path.at(-1) === name));
  expect(unused).toEqual([]);
});

const BAD: readonly string[] = [
  ...[
    '',
    ' ',
    '\t',
    '\u00A0\u3000',
    '\u200B',
    'a\nb',
    'a\rb',
    'a\u0000b',
    'a\u001B[2Jb',
    'a\u007Fb',
    'a\u0085b',
  ],
  ...['a\u2028b', 'a\u2029b', 'a\u202Eb', 'a\u2066b', '\uD800'],
];

const GOOD: readonly string[] = ['Ada', 'Zoë 🏳️‍🌈', 'می‌خواهم', '北京', 'O’Neil (3rd), & sons', ' a ', '-'];

/** A copy of the object with another value at a path that exists. */
function withValue(
  values: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): unknown {
  const [name = '', ...rest] = path;
  // Every value on the path is an object.
  const inner = values[name] as Readonly<Record<string, unknown>>;
  return { ...values, [name]: rest.length === 0 ? value : withValue(inner, rest, value) };
}

describeEachEngine('a line of text', (engine) => {
  // The generated selections include all fields, which costs more than a client may request.
  const app = startApp(engine, { operations: { cost: 1_000_000 } });

  async function ask({ field, path }: TextInput, text: string) {
    const operation = operations.find(({ name }) => name === field);
    if (!operation) throw new Error(`There is no operation for ${field}.`);
    const included: Included = new Map(
      path.map((_, index) => [path.slice(0, index + 1).join('.'), undefined]),
    );
    const { values } = operation.generate(({ kind }) => (kind === 'org' ? 'acme' : 1), included);
    const { token } = await app.signIn('ada');
    const variables = withValue(values, path, text) as Readonly<Record<string, unknown>>;
    return operation.ask(app, variables, { authorization: `Bearer ${token}` });
  }

  describe.each(lines.map((line) => [`${line.field}(${line.path.join('.')})`, line] as const))(
    '%s',
    (_, line) => {
      test('is refused if blank or with control characters', async () => {
        // Refused before any statement, so PostgreSQL tests one of them.
        for (const text of runsAllCases(engine) ? BAD : BAD.slice(0, 1)) {
          const { code, paths } = await ask(line, text);
          expect([code, paths], JSON.stringify(text)).toEqual(['validation_failed', [line.path.join('.')]]);
        }
      });

      test('has its length counted as in JSON Schema: in code points', async () => {
        const { most = 0 } = line;
        const refused = async (length: number) =>
          (await ask(line, '😀'.repeat(length))).paths.includes(line.path.join('.'));
        expect([await refused(most), await refused(most + 1)]).toEqual([false, true]);
      });

      test('is accepted in any script', async () => {
        for (const text of GOOD) {
          const { paths } = await ask(line, text);
          expect(paths, text).not.toContain(line.path.join('.'));
        }
      });
    },
  );

  test('includes the name of an organisation', async () => {
    const add = async (name: string, id: string) =>
      addOrganisation(engine.database, systemClock, { id, name });
    for (const text of BAD) {
      await expect(add(text, 'bad'), JSON.stringify(text)).rejects.toMatchObject({
        code: 'validation_failed',
        details: [{ path: 'name' }],
      });
    }
    for (const [index, text] of GOOD.entries()) {
      await expect(add(text, `good-${index}`)).resolves.toMatchObject({ name: text });
    }
  });
});
