/** The form fields of a webhook, to add and to change it. */
import { Field } from './fields.js';
import { html } from './html.js';
/** Converts the values of a form to an input of `createWebhook` and `updateWebhook`. */
export const webhookInput = ({ url, types }) => ({ url, types: types.split(/[\s,]+/).filter(Boolean) });

/** @param of the webhook to change; undefined for a new one. */
export const WebhookFields = ({ of: webhook }) => html`
  <${Field} label="URL" name="url" type="url" required maxlength="2000" value=${webhook?.url} placeholder="https://example.com/hooks" />
  <${Field} label="Events" name="types" required value=${webhook?.types.join(', ') ?? '*'} hint="Types such as order.created, order.* for all of a subject, or * for all." />
`;

export const stateOf = ({ enabled }) => (enabled ? 'enabled' : 'disabled');
