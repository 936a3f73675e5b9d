import { ROLES } from '../../src/core/roles.ts';
import { declareEvents, id, oneOf } from '../../src/events/declare.ts';

const scope = 'read:users';

const role = oneOf(ROLES, 'The role that the person gets.');

export const events = declareEvents({
  'invitation.created': { scope, description: 'A person was invited to the organisation.', data: { role } },
  'invitation.revoked': { scope, description: 'An invitation was revoked.', data: { role } },
  'invitation.accepted': {
    scope,
    description: 'An invited person joined the organisation.',
    data: { role, user_id: id('The new person.') },
  },
});
