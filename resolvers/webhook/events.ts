import { DISABLING_REASONS } from '../../src/db/tables/webhooks.ts';
import { declareEvents, flag, oneOf, text, texts } from '../../src/events/declare.ts';

const scope = 'manage:webhooks';

const data = {
  host: text('The host of the URL. The path is left out, since it may hold a secret.'),
  types: texts('The events that it receives, as types and patterns.'),
  enabled: flag('Whether messages are sent.'),
};

export const events = declareEvents({
  'webhook.created': { scope, description: 'A webhook was created.', data },
  'webhook.updated': { scope, description: 'A webhook was changed, enabled or disabled.', data },
  'webhook.secret_rotated': { scope, description: 'A webhook got a new signing secret.', data },
  'webhook.tested': {
    scope,
    description:
      'A test of a webhook was requested. It is sent to this webhook alone, whatever types it receives.',
    data,
  },
  'webhook.disabled': {
    scope,
    description: 'The server disabled a webhook whose receiver refused messages.',
    data: { reason: oneOf(DISABLING_REASONS, 'Why it was disabled.') },
  },
  'webhook.deleted': { scope, description: 'A webhook was deleted.', data },
});
