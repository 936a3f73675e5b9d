/**
 * Every operation runs the list of steps in its order, through every door; a refusal ends it at the step
 * where it occurs.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { STEPS } from '../../src/pipeline/run.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { DOCUMENT_DOORS } from '../support/graphql-doors.ts';

const NAMES = STEPS.map(({ name }) => name);

describeEachEngine('the steps of an operation', (engine) => {
  const app = startApp(engine);
  const ran: string[] = [];
  const original = [...STEPS];
  // The server runs this list itself.
  const list = STEPS as unknown as (typeof STEPS)[number][];

  beforeAll(async () => {
    await app.signIn('ada');
    for (const [index, step] of original.entries()) {
      list[index] = (run) => {
        ran.push(step.name);
        return step(run);
      };
    }
  });
  afterAll(() => void list.splice(0, list.length, ...original));
  beforeEach(() => void ran.splice(0));

  test('have unique names', () => {
    expect(new Set(NAMES).size).toBe(NAMES.length);
    expect(NAMES).toEqual([
      'findOperation',
      'authorize',
      'readVariables',
      'price',
      'takePoints',
      'awaitStart',
      'awaitSlot',
      'chooseReplica',
      'execute',
      'rememberChange',
      'settle',
      'boundResponse',
      'respond',
      'turnEnd',
    ]);
  });

  test('all run for a route', async () => {
    await app.get('/v1/orders/1', { as: 'ada' });
    expect(ran).toEqual(NAMES);
  });

  test.each(DOCUMENT_DOORS)('all run over $name, for new and known documents', async ({ name, open }) => {
    const visit = await open(app, 'ada');
    for (const sight of ['first', 'second']) {
      ran.splice(0);
      const reply = await visit.send({ query: `{ me { id } } # ${name}` });
      expect(reply.body?.errors, sight).toBeUndefined();
      expect(ran, sight).toEqual(NAMES);
    }
    visit.close();
  });

  test.each([
    { refusal: 'no credentials', last: 'authorize', path: '/v1/orders/1', as: undefined },
    {
      refusal: 'an invalid variable',
      last: 'readVariables',
      path: '/v1/products?limit=many',
      as: 'ada',
    },
  ] as const)('end with $last for $refusal', async ({ last, path, as }) => {
    await app.get(path, as ? { as } : {});
    expect(ran).toEqual(NAMES.slice(0, NAMES.indexOf(last) + 1));
  });
});
