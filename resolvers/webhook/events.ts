import { DISABLING_REASONS } from '../../src/db/tables/webhooks.ts';
import { declareEvents, flag, oneOf, text, texts } from '../../src/events/declare.ts';

const scope = 'manage:webhooks';

const data = {
  host: text('The host of the URL. The path is omitted, since it may contain a secret.'),
  types: texts('The event types and patterns that the webhook receives.'),
  enabled: flag('Whether messages are sent.'),
};

export const events = declareEvents({
  'webhook.created': { scope, description: 'A webhook was created.', data },
  'webhook.updated': { scope, description: 'A webhook was changed, enabled or disabled.', data },
  'webhook.secret_rotated': { scope, description: 'The signing secret of a webhook was replaced.', data },
  'webhook.tested': {
    scope,
    description:
      'A test of a webhook was requested. The event is sent only to this webhook, whatever event types it receives.',
    data,
  },
  'webhook.disabled': {
    scope,
    description: 'The server disabled a webhook because its receiver did not accept messages.',
    data: { reason: oneOf(DISABLING_REASONS, 'Why the webhook was disabled.') },
  },
  'webhook.deleted': {
    scope,
    description: 'A webhook was deleted, or the app that gave it its URL was uninstalled.',
    data,
  },
});
