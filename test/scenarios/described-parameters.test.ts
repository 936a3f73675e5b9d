/** Parameters that openapi.json documents beside the path: each is accepted, also where it is optional. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Parameter } from '../../src/rest/openapi/types.ts';
import { createFixtures } from '../access/shared/fixtures.ts';
import { startApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { sendExample, valuesOf } from '../support/inputs/openapi-requests.ts';
import { type DescribedOperation, operations } from '../support/openapi.ts';

/** A cursor is sealed and belongs to one list; signed messages take no parameters. */
const isOptional = ({ name, required, in: place }: Parameter) =>
  !required && place !== 'path' && name !== 'cursor' && !/signature/i.test(name);

const cases = operations.flatMap((described) =>
  (described.operation.parameters ?? [])
    .filter(isOptional)
    .map((parameter) => ({ title: `${described.name} takes ${parameter.name}`, described, parameter })),
);

/** Adds one parameter that has an example to an operation. */
function withExample(described: DescribedOperation, { name, ...parameter }: Parameter): DescribedOperation {
  const [value] = fc.sample(valuesOf(parameter.schema), { seed: 1, numRuns: 1 });
  const { operation } = described;
  const others = (operation.parameters ?? []).filter((one) => one.name !== name);
  const example = parameter.example ?? value;
  return {
    ...described,
    operation: { ...operation, parameters: [...others, { ...parameter, name, example }] },
  };
}

describeEachEngine(
  'every operation',
  (engine) => {
    const app = startApp(engine);
    const fixtures = createFixtures(app, engine);

    test.each(cases)('$title', async ({ described, parameter }) => {
      const response = await sendExample<Partial<ErrorBody>>(app, withExample(described, parameter), 'ada');
      // The value may be refused, but not the parameter.
      expect(response.status, response.text).toBeLessThan(500);
      expect(response.body?.error?.code).not.toBe('unknown_parameter');
    });

    test('an operation of a shared stream is stopped by its token', async () => {
      const { text: token } = await app.request('PUT', '/graphql', { as: 'ada' });
      const stop = (of: string) =>
        app.request('DELETE', `/graphql?operationId=${fixtures.key()}&token=${of}`, { as: 'ada' });
      expect((await stop(token)).status).toBe(200);
      expect((await stop('another')).status).toBe(404);
      expect((await app.request('PUT', '/graphql', { as: 'ada', text: 'x' })).status).toBe(400);
    });
  },
  'sqlite',
);
