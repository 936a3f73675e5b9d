import { declareEvents, id, oneOf } from '../../src/events/declare.ts';

export const events = declareEvents({
  'session.revoked': {
    scope: 'read:users',
    description:
      'A session was ended by its person, by an administrator, or by the server because a refresh token was used a second time.',
    data: {
      reason: oneOf(['ended', 'refresh_token_reused'], 'Why the session was ended.'),
      user_id: id('The person of the session.'),
    },
  },
});
