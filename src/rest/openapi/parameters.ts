import { requiresKey } from '../../graphql/directives/idempotent.ts';
import { LIMITS } from '../../limits.ts';
import type { VariableSource } from '../binding.ts';
import { etagOf } from '../conditions.ts';
import { parametersOf, type Route } from '../route.ts';
import type { Components } from './components.ts';
import type { Inputs } from './inputs.ts';
import { flowing } from './prose.ts';
import type { Parameter, Schema } from './types.ts';

const header = (name: string, description: string, schema: Schema, example: string): Parameter => ({
  name,
  in: 'header',
  description,
  required: false,
  schema,
  example,
});

const IF_MATCH = header(
  'If-Match',
  'Change the resource only if it still has one of these entity tags (RFC 9110, section 13.1.1); 412 otherwise.',
  { type: 'string' },
  etagOf(1),
);

const IF_NONE_MATCH = header(
  'If-None-Match',
  'Answer 304 without a body if the resource still has one of these entity tags (RFC 9110, section 13.1.2).',
  { type: 'string' },
  etagOf(1),
);

const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'Makes the request happen once, however often it is sent with the same key: 1 to 255 visible ASCII characters, bare or in quotes, made up anew for each operation.',
  { type: 'string', minLength: 1, maxLength: LIMITS.idempotencyKeyLength },
  '6f1c9f0e-2f0b-4a7c-9a53-0f5b8a4f4a11',
);

/** Where each source of a variable stands in a request; a header is a parameter of its own. */
const PLACES: Readonly<Record<VariableSource, 'path' | 'query' | 'body' | Parameter>> = {
  path: 'path',
  query: 'query',
  body: 'body',
  'body member': 'body',
  'if-match': IF_MATCH,
  'idempotency-key': IDEMPOTENCY_KEY,
};

/** Whether the answer has an entity tag that a client may ask with. */
export const isConditional = ({ method, view }: Route): boolean =>
  method === 'GET' && view.etag !== undefined;

/** The parameters of a route in its path, its query and its headers, in the order of its variables. */
export function parametersIn(route: Route, inputs: Inputs, components: Components): Parameter[] {
  const parameters = route.variables.flatMap((variable): Parameter[] => {
    const place = PLACES[variable.source];
    if (place === 'body') return [];
    if (place === IDEMPOTENCY_KEY) {
      return [{ ...IDEMPOTENCY_KEY, required: requiresKey(route.root.field) && !variable.madeUp }];
    }
    if (typeof place === 'object') return [place];
    const { description, examples, ...schema } = inputs.ofVariable(route, variable, 'text');
    const [example = variable.required ? components.sample(schema) : undefined] = examples ?? [];
    return [
      {
        name: variable.name,
        in: place,
        description: flowing(description ?? variable.name),
        required: variable.required,
        schema,
        ...(example !== undefined && { example }),
      },
    ];
  });
  return isConditional(route) ? [...parameters, IF_NONE_MATCH] : parameters;
}

/** The parameters of a former path: those of the present one, and what only the former one has. */
export function parametersOfFormer(former: string, present: readonly Parameter[]): Parameter[] {
  return [...parametersOf(former)].map(
    (name) =>
      present.find((each) => each.in === 'path' && each.name === name) ?? {
        name,
        in: 'path',
        description: 'Not looked at any more.',
        required: true,
        schema: { type: 'string' },
        example: '1',
      },
  );
}
