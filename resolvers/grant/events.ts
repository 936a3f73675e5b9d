import { declareEvents, id, oneOf, text, texts } from '../../src/events/declare.ts';

const scope = 'manage:apps';

const client_id = text('The client id of the app at the authorization server.');
const user_id = id('The person who consented, or the member of the app if it acts for itself.');

export const events = declareEvents({
  'grant.created': {
    scope,
    description: 'A person allowed an app to act for them, or an app got its first token for itself.',
    data: { client_id, user_id, scopes: texts('The granted scopes.') },
  },
  'grant.revoked': {
    scope,
    description: 'A grant ended, and its tokens became invalid.',
    data: {
      client_id,
      user_id,
      reason: oneOf(
        ['revoked', 'revoked_by_app', 'replaced', 'code_reused', 'refresh_token_reused', 'secret_rotated'],
        'Why the grant ended.',
      ),
    },
  },
});
