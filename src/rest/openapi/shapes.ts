import type { ErrorCode } from '../../core/errors.ts';
import type { Schema } from './types.ts';

const text: Schema = { type: 'string' };

/** The body of an error (spec: Errors), with one of these codes. */
export const errorSchema = (codes: readonly ErrorCode[]): Schema => ({
  type: 'object',
  description: 'What went wrong. Branch on the code, and show people the message.',
  properties: { error: failureSchema(codes) },
  required: ['error'],
});

/** The same as RFC 9457 has it. */
export const problemSchema = (codes: readonly ErrorCode[]): Schema => ({
  type: 'object',
  description: 'An error as RFC 9457 has it, with `error` as everywhere else.',
  properties: {
    type: { ...text, description: '`about:blank`: the status says what kind of problem it is.' },
    title: { ...text, description: 'The phrase of the status.' },
    status: { type: 'integer', description: 'The status.' },
    detail: { ...text, description: 'A sentence for people.' },
    error: failureSchema(codes),
  },
  required: ['type', 'title', 'status', 'detail', 'error'],
});

const failureSchema = (codes: readonly ErrorCode[]): Schema => ({
  type: 'object',
  properties: {
    code: { type: 'string', enum: codes, description: 'Stable, for programs.' },
    message: { ...text, description: 'A sentence for people.' },
    details: { type: 'array', items: { $ref: '#/components/schemas/ErrorDetail' } },
    ...(codes.includes('resume_expired') && {
      oldest_cursor: { ...text, description: 'The oldest cursor that can be gone on from.' },
    }),
  },
  required: ['code', 'message'],
});

/** One of several things that are wrong. */
export const ERROR_DETAIL: Schema = {
  type: 'object',
  description: 'One thing that is wrong with one value.',
  properties: {
    path: { ...text, description: 'Where it stands in what was sent, from the outside in: `items.0.qty`.' },
    message: { ...text, description: 'What is wrong there.' },
  },
  required: ['path', 'message'],
};
