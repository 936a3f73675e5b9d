import type { ErrorCode } from '../../core/errors.ts';
import type { Schema } from './types.ts';

const text: Schema = { type: 'string' };

/** The body of an error (spec: Errors), with one of these codes. */
export const errorSchema = (codes: readonly ErrorCode[]): Schema => ({
  type: 'object',
  description: 'The error. Branch on the code, and show people the message.',
  properties: { error: failureSchema(codes) },
  required: ['error'],
});

/** The body of an error in the format of RFC 9457. */
export const problemSchema = (codes: readonly ErrorCode[]): Schema => ({
  type: 'object',
  description: 'An RFC 9457 problem, with `error` as in all other errors.',
  properties: {
    type: { ...text, description: '`about:blank`: the status determines the kind of problem.' },
    title: { ...text, description: 'The reason phrase of the status.' },
    status: { type: 'integer', description: 'The status.' },
    detail: { ...text, description: 'A message for people.' },
    error: failureSchema(codes),
  },
  required: ['type', 'title', 'status', 'detail', 'error'],
});

const failureSchema = (codes: readonly ErrorCode[]): Schema => ({
  type: 'object',
  properties: {
    code: { type: 'string', enum: codes, description: 'Stable, for programs.' },
    message: { ...text, description: 'A message for people.' },
    details: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
    ...(codes.includes('resume_expired') && {
      oldest_cursor: { ...text, description: 'The oldest valid cursor.' },
    }),
  },
  required: ['code', 'message'],
});

/** One of several problems. */
export const ERROR_DETAIL: Schema = {
  type: 'object',
  description: 'A problem with one value.',
  properties: {
    path: { ...text, description: 'The place in the request: `items.0.qty`.' },
    message: { ...text, description: 'The problem.' },
  },
  required: ['path', 'message'],
};
