/** Each member of a change has an effect of its own: none is accepted and then ignored. A repetition has no effect. */
import { getNamedType, isInputObjectType, isNonNullType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { snakeCase } from '../../src/rest/compile/spelling.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { factsOf, ROUTE_CALLS } from '../access/shared/rules.ts';
import { distinctRoutes, routeName, schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { writesNothing } from '../support/expectations.ts';

const CHANGES = factsOf('changes');

/** The input with the changes of a mutation that changes a row. */
const inputOf = ({ root: { field } }: (typeof distinctRoutes)[number]) => {
  const input = getNamedType(field.args.find(({ name }) => name === 'input')?.type);
  if (!isInputObjectType(input)) throw new Error(`${field.name} has no input with its changes.`);
  return input;
};

const patches = distinctRoutes.filter(({ method }) => method === 'PATCH');

const cases = patches.flatMap((route) =>
  Object.values(inputOf(route).getFields())
    .filter(({ type }) => !isNonNullType(type))
    .map(({ name }) => ({ title: `${routeName(route)} changes ${name}`, route, member: snakeCase(name) })),
);

describe('the inputs of updates', () => {
  test('are the bodies of PATCH routes', () => {
    const inputs = Object.keys(schema.getTypeMap()).filter((name) => /^Update.*Input$/.test(name));
    expect([...new Set(patches.map((route) => inputOf(route).name))].toSorted()).toEqual(inputs.toSorted());
  });
});

describeEachEngine('a change', (engine) => {
  const app = startApp(engine);
  const ground = createFixtures(app, engine);

  test.each(cases.map(({ title, ...each }) => [title, each] as const))('%s', async (_, { route, member }) => {
    const name = routeName(route);
    const body = CHANGES[name]?.find((each) => Object.keys(each)[0] === member);
    const call = await ROUTE_CALLS[name]?.(ground);
    if (!body || !call)
      throw new Error(`Add a body that changes ${member} to \`changes\` of ${name} in test/access/.`);
    const path = route.path.replace(/\{(\w+)\}/g, (_, each: string) => String(call.params?.[each]));
    const send = (changes: object) => app.patch(path, { as: 'ada', body: changes });
    const before = await send({});
    expect(before.status, before.text).toBe(200);
    expect(before.body).not.toMatchObject(body);
    const after = await send(body);
    expect(after.status, after.text).toBe(200);
    expect(after.body).toMatchObject(body);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
    // An order leaves the state `pending` once.
    if (member === 'status') return;
    const again = await writesNothing(app, () => send(body));
    expect(again.headers.get('etag')).toBe(after.headers.get('etag'));
  });
});
