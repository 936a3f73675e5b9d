import { LIMITS } from '../../core/limits.ts';
import type { SignatureScheme } from '../../core/signatures.ts';
import { requiresKey } from '../../graphql/directives/idempotent.ts';
import type { Route } from '../compile/route.ts';
import { parametersOf } from '../compile/spelling.ts';
import type { VariableSource } from '../compile/variables.ts';
import { etagOf } from '../handle/conditions.ts';
import type { Components } from './components.ts';
import type { Inputs } from './inputs.ts';
import { flowing, parameterOf, TEXT } from './shapes.ts';
import type { Parameter, Schema } from './types.ts';

/** `*`, or a list of entity tags (RFC 9110, section 8.8.3). */
const ENTITY_TAGS: Schema = {
  type: 'string',
  pattern: '^(\\*|(W/)?"[!#-~]*"( ?, ?(W/)?"[!#-~]*")*)$',
};

export const IF_MATCH = parameterOf(
  'header',
  'If-Match',
  `Run the request only if the resource still has one of these entity tags (RFC 9110, section 13.1.1), such as ${etagOf(1)}; 412 otherwise.`,
  false,
  ENTITY_TAGS,
);

const IF_NONE_MATCH = parameterOf(
  'header',
  'If-None-Match',
  'Run the request only if the resource has none of these entity tags (RFC 9110, section 13.1.2). Otherwise a GET returns 304 without a body, and a change returns 412. For a change, tags other than * also require the right to read the resource.',
  false,
  ENTITY_TAGS,
);

export const IDEMPOTENCY_KEY = parameterOf(
  'header',
  'Idempotency-Key',
  'Makes the request idempotent: 1 to 255 visible ASCII characters, bare or in quotes. Use a new key for each operation, and the same key for its retries.',
  false,
  {
    type: 'string',
    // Bare, or as a string of RFC 9651.
    pattern: '^([!#-~][!-~]*|"[!#-[\\]-~]+")$',
    minLength: 1,
    maxLength: LIMITS.idempotencyKeyLength,
  },
);

const requiredHeader = (name: string, description: string, example: string): Parameter =>
  parameterOf('header', name, description, true, TEXT, example);

/** The headers of a signed message. */
const SIGNATURE: Readonly<Record<SignatureScheme, readonly Parameter[]>> = {
  STANDARD_WEBHOOKS: [
    requiredHeader(
      'webhook-id',
      'The id of the message, the same at every attempt.',
      'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
    ),
    requiredHeader('webhook-timestamp', 'When the message was sent, in seconds since 1970.', '1793491200'),
    requiredHeader(
      'webhook-signature',
      'Signatures of id, timestamp and body, separated by spaces.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  ],
  STRIPE: [
    requiredHeader(
      'Stripe-Signature',
      'When the message was sent, and signatures of that time and the body (https://docs.stripe.com/webhooks#verify-manually).',
      't=1793491200,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
    ),
  ],
};

const SAMPLE_KEY = '6f1c9f0e-2f0b-4a7c-9a53-0f5b8a4f4a11';

/** The place of each source in a request; for a header, its own parameter. */
const PLACES: Readonly<Record<VariableSource, 'path' | 'query' | 'body' | Parameter>> = {
  path: 'path',
  query: 'query',
  body: 'body',
  'body member': 'body',
  ifMatch: IF_MATCH,
  idempotencyKey: IDEMPOTENCY_KEY,
};

/** Whether a client may have an entity tag for conditional requests. */
const isConditional = ({ method, view, variables }: Route): boolean =>
  method === 'GET' ? view.etag !== undefined : variables.some(({ source }) => source === 'ifMatch');

/** Returns the parameters of a route in its path, query and headers, in the order of its variables. */
export function parametersIn(route: Route, inputs: Inputs, components: Components): Parameter[] {
  const parameters = route.variables.flatMap((variable): Parameter[] => {
    const place = PLACES[variable.source];
    if (place === 'body') return [];
    if (place === IDEMPOTENCY_KEY) {
      const required = requiresKey(route.root.field) && !variable.generated;
      return [{ ...IDEMPOTENCY_KEY, required, ...(required && { example: SAMPLE_KEY }) }];
    }
    if (typeof place === 'object') return [place];
    const { description, examples, ...schema } = inputs.ofVariable(route, variable, 'text');
    const [example = variable.required ? components.sample(schema) : undefined] = examples ?? [];
    const words = flowing(description ?? variable.name);
    return [parameterOf(place, variable.name, words, variable.required, schema, example)];
  });
  return [
    ...parameters,
    ...(route.view.etag !== undefined && route.method === 'GET' ? [IF_MATCH] : []),
    ...(isConditional(route) ? [IF_NONE_MATCH] : []),
    ...(route.signed ? SIGNATURE[route.signed] : []),
  ];
}

/** Returns the parameters of a former path: those that it shares with the current path, and its own, which are ignored. */
export function parametersOfFormer(former: string, present: readonly Parameter[]): Parameter[] {
  return [...parametersOf(former)].map(
    (name) =>
      present.find((each) => each.in === 'path' && each.name === name) ??
      parameterOf('path', name, 'Ignored.', true, TEXT, '1'),
  );
}
