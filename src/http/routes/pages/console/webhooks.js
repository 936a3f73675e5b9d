/** Webhooks: the list of the organisation, and a form to add one. */
import { useChange } from './data.js';
import { FormOpener } from './dialogs.js';
import { html } from './html.js';
import { useList } from './list.js';
import { Table, timeColumn } from './table.js';
import { Badge, Empty, PageHead } from './ui.js';
import { stateOf, WebhookFields, webhookInput } from './webhook-fields.js';

const LIST = `query Webhooks($first: Int, $after: String) {
  webhooks(first: $first, after: $after) {
    nodes { id url types enabled disabledReason createdAt }
    endCursor hasNextPage
  }
}`;

const COLUMNS = [
  { name: 'url', title: 'URL', of: ({ url }) => url, width: '2.4fr', place: 'a' },
  { name: 'types', title: 'Events', of: ({ types }) => types.join(', '), width: '1.4fr', place: 'b' },
  { name: 'state', title: 'State', of: (webhook) => html`<${Badge} of=${stateOf(webhook)} />`, place: 'c' },
  timeColumn('createdAt', 'Created', 'd'),
];

const CREATE = `mutation CreateWebhook($input: CreateWebhookInput!, $key: String!) {
  createWebhook(input: $input, idempotencyKey: $key) { id url secret }
}`;

export function Webhooks() {
  const list = useList(LIST, {}, (data) => data.webhooks, { on: ['webhook'] });
  const [create] = useChange(CREATE, 'The webhook was added.', list.again);
  const add = (values, key) => create({ input: webhookInput(values), key });
  const secretOf = ({ createWebhook: { secret } }) => ({ title: 'The signing secret', secret });
  return html`
    <${PageHead} title="Webhooks" operation=${{ document: LIST, variables: { first: 20 } }}>
      <${FormOpener} class="primary" label="Add webhook" title="Add a webhook" action="Add" submit=${add} secretOf=${secretOf}><${WebhookFields} /><//>
    <//>
    <${Table} label="Webhooks" columns=${COLUMNS} list=${list} href=${({ id }) => `/webhooks/${id}`} empty=${html`<${NoWebhook} />`} />
  `;
}

const NoWebhook = () => html`
  <${Empty} title="No webhook yet">
    <p>A webhook sends events to your URL, signed according to <a href="https://www.standardwebhooks.com">Standard Webhooks</a>,
    and retries for three days until they are accepted. On a laptop, <code>npx portico listen --forward-to http://localhost:3000</code> does the same without a public URL.</p>
  <//>
`;
