/** One webhook: actions such as pausing it and sending a test, and its messages. */
import { useChange, useQuery } from './data.js';
import { Deliveries } from './deliveries.js';
import { Ask, FormOpener } from './dialogs.js';
import { Select } from './fields.js';
import { words } from './format.js';
import { html } from './html.js';
import { useList } from './list.js';
import { ObjectPage } from './object-page.js';
import { query, setFilter } from './router.js';
import { Badge, Facts, Section, Time } from './ui.js';
import { stateOf, WebhookFields, webhookInput } from './webhook-fields.js';

const ONE = `query Webhook($id: ID!) {
  webhook(id: $id) { id url types enabled disabledReason disabledAt formerSecretUntil version createdAt updatedAt }
}`;

const DELIVERIES = `query Deliveries($id: ID!, $status: WebhookDeliveryStatus, $first: Int, $after: String) {
  webhookDeliveries(webhookId: $id, status: $status, first: $first, after: $after) {
    nodes {
      id messageId eventId type status createdAt finishedAt
      attempts { id number trigger dueAt startedAt finishedAt durationMs status error answer }
    }
    endCursor hasNextPage
  }
}`;

const UPDATE = `mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { id enabled } }`;
const CHANGE = `mutation ChangeWebhook($id: ID!, $input: UpdateWebhookInput!, $version: Int!) {
  updateWebhook(id: $id, input: $input, ifVersion: [$version]) { id }
}`;
const DELETE = 'mutation DeleteWebhook($id: ID!) { deleteWebhook(id: $id) }';
const ROTATE =
  'mutation RotateSecret($id: ID!, $key: String!) { createWebhookSecret(webhookId: $id, idempotencyKey: $key) { id secret formerSecretUntil } }';
const TEST = 'mutation TestWebhook($id: ID!) { createWebhookTest(webhookId: $id) { id } }';

const STATES = [
  ['', 'All'],
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
];

export function Webhook({ id }) {
  const chosen = query.value.get('state');
  const status = STATES.some(([name]) => name === chosen) ? chosen : '';
  const read = useQuery(ONE, { id }, { on: ['webhook'] });
  const deliveries = useList(
    DELIVERIES,
    { id, status: status || null },
    (page) => page.webhookDeliveries ?? { nodes: [], endCursor: null, hasNextPage: false },
    { size: 50, on: ['*'] },
  );
  const again = () => {
    read.again();
    deliveries.again();
  };
  return html`
    <${ObjectPage} kind="Webhook" id=${id} back=${{ to: '/webhooks', label: 'Webhooks' }} operation=${{ document: ONE, variables: { id } }}
      read=${read} object=${read.data?.webhook} actions=${(webhook) => html`<${Actions} of=${webhook} again=${again} />`}>
      ${(webhook) => html`
        <${Facts} of=${factsOf(webhook)} />
        <${Section} title="Deliveries" actions=${html`<${Select} label="State" value=${status} onChange=${setFilter('state')} options=${STATES} />`}>
          <${Deliveries} webhookId=${id} list=${deliveries} isFiltered=${status !== ''} again=${again} />
        <//>`}
    <//>
  `;
}

const factsOf = (webhook) => [
  ['URL', html`<span class="text">${webhook.url}</span>`],
  ['Events', webhook.types.join(', ')],
  ['State', html`<${Badge} of=${stateOf(webhook)} />`],
  ['Why', webhook.disabledReason && words(webhook.disabledReason)],
  ['Two secrets until', webhook.formerSecretUntil && html`<${Time} at=${webhook.formerSecretUntil} full />`],
  ['Created', html`<${Time} at=${webhook.createdAt} full />`],
];

function Actions({ of: webhook, again }) {
  const { id, enabled, version } = webhook;
  const [update, isUpdating] = useChange(
    UPDATE,
    (data) => (data.updateWebhook.enabled ? 'The webhook was resumed.' : 'The webhook was paused.'),
    again,
  );
  const [change] = useChange(CHANGE, 'The webhook was changed.', again);
  const [remove] = useChange(DELETE, 'The webhook was deleted.');
  const [rotate] = useChange(ROTATE, undefined, again);
  const [test, isTesting] = useChange(TEST, 'A test message is being sent.', again);
  const secretOf = ({ createWebhookSecret: { secret } }) => ({ title: 'The new signing secret', secret });
  return html`
    <button type="button" class="primary" disabled=${isTesting || !enabled} onClick=${() => test({ id })}>Send a test</button>
    <button type="button" disabled=${isUpdating} onClick=${() => update({ id, input: { enabled: !enabled } })}>${enabled ? 'Pause' : 'Resume'}</button>
    <${FormOpener} label="Change" title="Change webhook ${id}" action="Save"
      submit=${(values) => change({ id, input: webhookInput(values), version })}><${WebhookFields} of=${webhook} /><//>
    <${Ask} label="Rotate secret" title="Replace the signing secret?" action="Replace" isDanger=${false}
      run=${(_, key) => rotate({ id, key })} secretOf=${secretOf}
      text="For one day messages have two signatures, with the new and the current secret, so that receivers can be updated." />
    <${Ask} label="Delete" title="Delete this webhook?" action="Delete" run=${() => remove({ id })} next=${() => '/webhooks'}
      text="It receives no more messages, and pending ones are dropped." />
  `;
}
