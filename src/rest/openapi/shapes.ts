/** Texts and shapes of JSON that several parts of the description use. */
import type { ErrorCode } from '../../core/errors.ts';
import type { Parameter, Schema } from './types.ts';

export const TEXT: Schema = { type: 'string' };

/** Describes a text. */
export const text = (description: string): Schema => ({ ...TEXT, description });

/** Describes an object. @param required the names of its required members, by default all. */
export const objectOf = (
  properties: Readonly<Record<string, Schema>>,
  description?: string,
  required: readonly string[] = Object.keys(properties),
): Schema => ({
  type: 'object',
  ...(description !== undefined && { description }),
  properties,
  required,
});

/** Describes a parameter. Headers have no example, since interactive tools would send it. */
export const parameterOf = (
  place: Parameter['in'],
  name: string,
  description: string,
  required: boolean,
  schema: Schema = TEXT,
  example?: unknown,
): Parameter => ({
  name,
  in: place,
  description,
  required,
  schema,
  ...(example !== undefined && { example }),
});

/** The body of an error (spec: Errors), with one of these codes. */
export const errorSchema = (codes: readonly ErrorCode[]): Schema =>
  objectOf({ error: failureSchema(codes) }, 'The error. Branch on the code, and show people the message.');

/** The body of an error in the format of RFC 9457. */
export const problemSchema = (codes: readonly ErrorCode[]): Schema =>
  objectOf(
    {
      type: text('`about:blank`: the status determines the kind of problem.'),
      title: text('The reason phrase of the status.'),
      status: { type: 'integer', description: 'The status.' },
      detail: text('A message for people.'),
      error: failureSchema(codes),
    },
    'An RFC 9457 problem, with `error` as in all other errors.',
  );

const failureSchema = (codes: readonly ErrorCode[]): Schema =>
  objectOf(
    {
      code: { ...TEXT, enum: codes, description: 'Stable, for programs.' },
      message: text('A message for people.'),
      details: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
      ...(codes.includes('resume_expired') && { oldest_cursor: text('The oldest valid cursor.') }),
    },
    undefined,
    ['code', 'message'],
  );

export const ERROR_DETAIL: Schema = objectOf(
  { path: text('The place in the request: `items.0.qty`.'), message: text('The problem.') },
  'A problem with one value.',
);

/** Converts a name to that of a component or an operation: `empty_order` becomes `EmptyOrder`, and `order.created` `OrderCreated`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Joins the lines of a description in the SDL, and keeps its paragraphs. */
export const flowing = (text: string): string => text.trim().replace(/(?<!\n)\n(?!\n)/g, ' ');

/** Returns the first sentence of a text without its full stop, for a summary. */
export function firstSentence(text: string): string {
  const [first = ''] = flowing(text).split(/(?<=\.)\s/);
  return first.replace(/\.$/, '');
}
