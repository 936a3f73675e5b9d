import { declareEvents, id, oneOf } from '../../src/events/declare.ts';

export const events = declareEvents({
  'session.revoked': {
    scope: 'read:users',
    description:
      'The server ended a session, since one of its refresh tokens was used again after it was replaced.',
    data: {
      reason: oneOf(['refresh_token_reused'], 'Why the session was ended.'),
      user_id: id('The person of the session.'),
    },
  },
});
