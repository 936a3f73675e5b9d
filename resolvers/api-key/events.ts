import { declareEvents, id, orNull, text, texts, time } from '../../src/events/declare.ts';

const scope = 'manage:api-keys';

const name = text('The name of the key.');

export const events = declareEvents({
  'api_key.created': {
    scope,
    description: 'An API key was created.',
    data: {
      name,
      scopes: texts('The scopes of the key.'),
      expires_at: orNull(time('When the key expires; null for never.')),
    },
  },
  'api_key.revoked': {
    scope,
    description: 'An API key was revoked.',
    data: { name, user_id: id('The person that the key acted for.') },
  },
});
