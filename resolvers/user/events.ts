import { ROLES } from '../../src/core/roles.ts';
import { declareEvents, oneOf, text } from '../../src/events/declare.ts';

const scope = 'read:users';

const name = text('The name of the person.');
const role = oneOf(ROLES, 'The role of the person.');

export const events = declareEvents({
  'user.added': { scope, description: 'A person was added to the organisation.', data: { name, role } },
  'user.updated': { scope, description: 'A person was renamed.', data: { name } },
  'user.role_changed': {
    scope,
    description: 'The role of a person was changed and their sessions were ended.',
    data: { name, role, former_role: oneOf(ROLES, 'The role before the change.') },
  },
  'user.password_changed': {
    scope,
    description: 'The password of a person was changed and their other sessions were ended.',
    data: {
      name,
      means: oneOf(
        ['current_password', 'reset_link', 'operator'],
        'How it was changed: by the person with the current password, by the person with a reset link sent to the email address of the account, or by an operator of the server.',
      ),
    },
  },
  'user.removed': {
    scope,
    description: 'A person was removed from the organisation and their sessions were ended.',
    data: { name },
  },
});
