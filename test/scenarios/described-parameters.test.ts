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

/** Parameters that may be repeated, through each door of a list: its pages, its stream and its export. */
const repeatable = operations.flatMap(({ method, path, operation: { parameters = [] } }) =>
  parameters
    .filter(({ in: place, schema }) => place === 'query' && schema.type === 'array')
    .flatMap(({ name }) =>
      ['application/json', 'text/event-stream', 'text/csv'].map((accept) => ({ method, path, name, accept })),
    ),
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

    test.each(repeatable)(
      '$method $path names invalid values of $name as they were sent, for $accept',
      async ({ path, name, accept }) => {
        const refused = async (query: string) => {
          const { status, body } = await app.get<ErrorBody>(`${path}?${query}`, {
            as: 'ada',
            headers: { accept },
          });
          expect([status, body.error.code]).toEqual([400, 'invalid_parameter']);
          return body.error.details?.map((detail) => detail.path);
        };
        expect(await refused(`${name}=x`)).toEqual([name]);
        expect(await refused(`${name}=x&${name}=y`)).toEqual([`${name}.0`, `${name}.1`]);
      },
    );

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
