import { ROLES } from '../../src/core/roles.ts';
import { declareEvents, oneOf, text, texts } from '../../src/events/declare.ts';

const scope = 'manage:apps';

const name = text('The name of the app.');
const client_id = text('The client id of the app at the authorization server.');

export const events = declareEvents({
  'app.installed': {
    scope,
    description: 'An app was installed in the organisation.',
    data: {
      name,
      client_id,
      scopes: texts('The scopes that the app may have in the organisation.'),
      role: oneOf(ROLES, 'The role of the app as a member.'),
    },
  },
  'app.uninstalled': {
    scope,
    description: 'An app was uninstalled, or deleted by its publisher. Its tokens became invalid.',
    data: { name, client_id, reason: oneOf(['uninstalled', 'app_deleted'], 'Why the app was uninstalled.') },
  },
});
