/** Errors quote the invalid values of a document and its variables, but no credentials: each input with `@secret`, at each door for documents. */
import {
  type GraphQLArgument,
  type GraphQLError,
  type GraphQLInputField,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isInputObjectType,
  isLeafType,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { isSecret } from '../../src/graphql/directives/secret.ts';
import { createSecretMask } from '../../src/pipeline/admission/omitted-secrets.ts';
import type { Variables } from '../../src/pipeline/compile.ts';
import { rootFields, schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';
import { DOCUMENT_DOORS, type DocumentRequest } from '../support/graphql-doors.ts';

const SECRET = 'hunter2';

/** Values that are no strings, as JSON and as literals. */
const INVALID = [
  { json: [SECRET], literal: `["${SECRET}"]` },
  { json: { value: SECRET }, literal: `{ value: "${SECRET}" }` },
  { json: { value: SECRET }, literal: SECRET },
];

const membersOf = ({ type }: GraphQLArgument | GraphQLInputField) => {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
};

/** The credentials that root fields take, directly or as a member of an argument. */
const cases = rootFields.flatMap(({ operation, field }) => {
  const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
  return field.args.flatMap((arg) => {
    const used = (value: string) => `{ ${field.name}(${arg.name}: ${value}) ${selection} }`;
    const own = isSecret(arg) ? [{ path: arg.name, member: undefined }] : [];
    const below = membersOf(arg).filter(isSecret);
    const inner = below.map((member) => ({ path: `${arg.name}.${member.name}`, member: member.name }));
    return [...own, ...inner].map((each) => ({
      name: `${field.name} ${each.path}`,
      operation,
      arg,
      used,
      ...each,
    }));
  });
});

/** Without the quoted value. */
const reasonOf = ({ message }: GraphQLError) =>
  message.replace(/ invalid value .*?(?= at |;)/, '').replace(/ value: .*/, '');

describe('errors of variables', () => {
  const INVALID_JSON = [undefined, null, 5, 'a', [], ['a'], {}, { a: 5 }];

  test.each(rootFields)('have the same reasons as without the omission: $name', ({ operation, field }) => {
    const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
    for (const arg of field.args) {
      const text = `${operation} ($v: ${arg.type}) { ${field.name}(${arg.name}: $v) ${selection} }`;
      const document = parse(text);
      const definition = getOperationAST(document);
      if (!definition) throw new Error(text);
      const reasonsOf = (variables: Variables) =>
        getVariableValues(schema, definition.variableDefinitions ?? [], variables).errors?.map(reasonOf);
      const values = INVALID_JSON.flatMap((json) => [
        json,
        ...membersOf(arg).map(({ name }) => ({ [name]: json })),
      ]);
      const withoutSecrets = createSecretMask(schema, document, definition);
      for (const variables of values.map((v) => (v === undefined ? {} : { v }))) {
        expect(reasonsOf(withoutSecrets(variables)), JSON.stringify(variables)).toEqual(reasonsOf(variables));
      }
    }
  });
});

describeOnSqlite('an invalid value of a credential', (engine) => {
  const app = startApp(engine);

  test('occurs in arguments and in members of arguments', () => {
    expect(new Set(cases.map(({ member }) => member === undefined))).toEqual(new Set([true, false]));
  });

  describe.each(DOCUMENT_DOORS)('by $name', (door) => {
    test.each(cases)('is not quoted: $name', async ({ operation, arg, used, member }) => {
      const visit = await door.open(app, 'ada');
      const declared = `${operation} ($v: ${arg.type})`;
      const requests: DocumentRequest[] = INVALID.flatMap(({ json, literal }) => [
        { query: declared + used('$v'), variables: { v: member === undefined ? json : { [member]: json } } },
        { query: operation + used(member === undefined ? literal : `{ ${member}: ${literal} }`) },
      ]);
      if (member === undefined)
        requests.push(
          { query: `${operation} ($v: ${arg.type} = ${SECRET}) ${used('$v')}` },
          { query: `${operation} ($v: Int = "${SECRET}") ${used('$v')}` },
          { query: `${operation} ($v: String = ${SECRET}) ${used('[$v]')}` },
        );
      else {
        requests.push(...INVALID.map(({ literal }) => ({ query: operation + used(`[${literal}]`) })));
        // The object is quoted for a missing member, for an unknown one, and as a text.
        requests.push(
          ...[{ [member]: SECRET }, { [`${member}s`]: SECRET }, SECRET].map((v) => ({
            query: declared + used('$v'),
            variables: { v },
          })),
        );
      }
      for (const request of requests) {
        const { body } = await visit.send(request);
        const text = JSON.stringify(body);
        expect(body?.errors?.length, text).toBeGreaterThan(0);
        expect(text).not.toContain(SECRET);
      }
      visit.close();
    });
  });

  test('is named, with the reason and the location', async () => {
    const messageOf = async (query: string, variables = {}) => {
      const { body } = await app.graphql(query, variables);
      return body.errors?.map(({ message, ...rest }) => [message, Reflect.get(rest, 'locations')]);
    };
    const login = 'mutation ($p: String!) { login(email: "ada@acme.test", password: $p) { expiresIn } }';
    expect(await messageOf(login, { p: 1 })).toEqual([
      [
        'Variable "$p" got invalid value [omitted]; String cannot represent a non string value: [omitted]',
        [{ line: 1, column: 11 }],
      ],
    ]);
    expect(await messageOf(login)).toEqual([
      ['Variable "$p" of required type "String!" was not provided.', [{ line: 1, column: 11 }]],
    ]);
    expect(
      await messageOf('mutation ($p: String!) { login(email: "a", password: [$p]) { expiresIn } }'),
    ).toEqual([['String cannot represent a non string value: [$p]', [{ line: 1, column: 54 }]]]);
    const literal = 'mutation { login(email: "ada@acme.test", password: hunter2) { expiresIn } }';
    expect(await messageOf(literal)).toEqual([
      [
        'String cannot represent a non string value: [omitted]',
        [{ line: 1, column: literal.indexOf(SECRET) + 1 }],
      ],
    ]);
  });

  test('leaves other values in the message', async () => {
    const { text } = await app.graphql(
      'mutation ($p: String!, $e: String!) { login(email: $e, password: $p) { expiresIn } }',
      { p: [SECRET], e: ['ada'] },
    );
    expect(text).toContain('[\\"ada\\"]');
    expect(text).not.toContain(SECRET);
  });
});
