import { declareEvents, id, oneOf, text, texts } from '../../src/events/declare.ts';

const scope = 'manage:apps';

const client_id = text('The client id of the app at the authorization server.');
const user_id = id('The person who consented, or the member that the app is.');

export const events = declareEvents({
  'grant.created': {
    scope,
    description: 'A person let an app act for them, or an app got its first token for itself.',
    data: { client_id, user_id, scopes: texts('What the app may do.') },
  },
  'grant.revoked': {
    scope,
    description: 'A grant ended, and with it the tokens of the app.',
    data: {
      client_id,
      user_id,
      reason: oneOf(
        ['revoked', 'revoked_by_app', 'replaced', 'code_reused', 'refresh_token_reused', 'secret_rotated'],
        'Why it ended.',
      ),
    },
  },
});
