/** Webhooks: a list, and one webhook with its deliveries, their attempts, and actions such as resending. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { serverNow } from '../pages/session.js';
import { useChange, useList, useQuery } from './data.js';
import { counted, words } from './format.js';
import { html } from './html.js';
import { filter, go, query } from './router.js';
import { Table } from './table.js';
import {
  Absent,
  Ask,
  Badge,
  Copy,
  Dialog,
  Empty,
  Facts,
  Field,
  FormDialog,
  Link,
  More,
  Opener,
  PageHead,
  Problem,
  Section,
  Select,
  Skeleton,
  Time,
} from './ui.js';

const LIST = `query Webhooks($first: Int, $after: String) {
  webhooks(first: $first, after: $after) {
    nodes { id url types enabled disabledReason createdAt }
    endCursor hasNextPage
  }
}`;

const stateOf = ({ enabled }) => (enabled ? 'enabled' : 'disabled');

const COLUMNS = [
  { name: 'url', title: 'URL', of: ({ url }) => url, width: '2.4fr', place: 'a' },
  { name: 'types', title: 'Events', of: ({ types }) => types.join(', '), width: '1.4fr', place: 'b' },
  { name: 'state', title: 'State', of: (webhook) => html`<${Badge} of=${stateOf(webhook)} />`, place: 'c' },
  {
    name: 'created',
    title: 'Created',
    of: ({ createdAt }) => html`<${Time} at=${createdAt} />`,
    isNumber: true,
    place: 'd',
  },
];

const CREATE = `mutation CreateWebhook($input: CreateWebhookInput!, $key: String!) {
  createWebhook(input: $input, idempotencyKey: $key) { id url secret }
}`;

/** Converts the values of a form to an input of `createWebhook` and `updateWebhook`. */
const inputOf = ({ url, types }) => ({ url, types: types.split(/[\s,]+/).filter(Boolean) });

/** The form fields of a webhook. @param of the webhook to change; undefined for a new one. */
const WebhookFields = ({ of: webhook }) => html`
  <${Field} label="URL" name="url" type="url" required maxlength="2000" value=${webhook?.url} placeholder="https://example.com/hooks" />
  <${Field} label="Events" name="types" required value=${webhook?.types.join(', ') ?? '*'} hint="Types such as order.created, order.* for all of a subject, or * for all." />
`;

export function Webhooks() {
  const list = useList(LIST, {}, (data) => data.webhooks, { on: ['webhook'] });
  const [isAdding, setAdding] = useState(false);
  const [added, setAdded] = useState();
  const [create, isRunning] = useChange(CREATE, 'The webhook was added.');
  const add = async (values, key) => {
    const data = await create({ input: inputOf(values), key });
    setAdded(data?.createWebhook);
    list.again();
    return data;
  };
  return html`
    <${PageHead} title="Webhooks" operation=${{ document: LIST, variables: { first: 20 } }}>
      <${Opener} class="primary" onClick=${() => setAdding(true)}>Add webhook<//>
    <//>
    <${Table} label="Webhooks" columns=${COLUMNS} list=${list} href=${({ id }) => `/webhooks/${id}`}
      empty=${html`<${Empty} title="No webhook yet">
        <p>A webhook sends events to your URL, signed according to <a href="https://www.standardwebhooks.com">Standard Webhooks</a>,
        and retries for three days until they are accepted. On a laptop, <code>npx portico listen --forward-to http://localhost:3000</code> does the same without a public URL.</p><//>`} />
    ${
      isAdding &&
      html`<${FormDialog} title="Add a webhook" action="Add" submit=${add} isRunning=${isRunning} onClose=${() => setAdding(false)}>
<${WebhookFields} /><//>`
    }
    ${
      added &&
      html`<${Secret} title="The signing secret" secret=${added.secret} onClose=${() => setAdded(undefined)} />`
    }
  `;
}

/** A secret that the server shows once. */
export const Secret = ({ title, secret, onClose }) => html`
  <${Dialog} title=${title} onClose=${onClose}>
    <p>Store it now: it is shown only once.</p>
    <p><${Copy} text=${secret} what="Secret" /></p>
    <div class="buttons"><button type="button" class="primary" onClick=${onClose}>Done</button></div>
  <//>
`;

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
const RESEND = `mutation Resend($id: ID!, $deliveryId: ID!) { createWebhookAttempt(webhookId: $id, deliveryId: $deliveryId) { id number } }`;
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
  const { data, error, again } = useQuery(ONE, { id }, { on: ['webhook'] });
  const deliveries = useList(
    DELIVERIES,
    { id, status: status || null },
    (page) => page.webhookDeliveries ?? { nodes: [], endCursor: null, hasNextPage: false },
    { size: 50, on: ['*'] },
  );
  const [rotated, setRotated] = useState();
  const [update, isUpdating] = useChange(UPDATE, ({ updateWebhook: { enabled } }) =>
    enabled ? 'The webhook was resumed.' : 'The webhook was paused.',
  );
  /** The webhook as it was when the form was opened: the form replaces no later change. */
  const [edited, setEdited] = useState();
  const [change, isChanging] = useChange(CHANGE, 'The webhook was changed.');
  const [remove, isRemoving] = useChange(DELETE, 'The webhook was deleted.');
  const [rotate, isRotating] = useChange(ROTATE);
  const [resend, isSending] = useChange(RESEND, 'The message is being sent again.');
  const [test, isTesting] = useChange(TEST, 'A test message is being sent.');
  const back = { to: '/webhooks', label: 'Webhooks' };
  const webhook = data?.webhook;
  if (webhook === null || (error && !data))
    return html`<${Absent} kind="Webhook" id=${id} back=${back} error=${data ? undefined : error} again=${again} />`;
  const then =
    (run) =>
    async (...values) => {
      const result = await run(...values);
      again();
      deliveries.again();
      return result;
    };
  return html`
    <${PageHead} title="Webhook ${id}" back=${back} operation=${{ document: ONE, variables: { id } }}>
      ${
        webhook &&
        html`
        <button type="button" class="primary" disabled=${isTesting || !webhook.enabled} onClick=${() => then(test)({ id })}>Send a test</button>
        <button type="button" disabled=${isUpdating} onClick=${() => then(update)({ id, input: { enabled: !webhook.enabled } })}>${webhook.enabled ? 'Pause' : 'Resume'}</button>
        <${Opener} onClick=${() => setEdited(webhook)}>Change<//>
        <${Ask} label="Rotate secret" title="Replace the signing secret?" action="Replace" isDanger=${false} isRunning=${isRotating}
          text="For one day messages have two signatures, with the new and the current secret, so that receivers can be updated."
          run=${async (_, key) => {
            const result = await then(rotate)({ id, key });
            setRotated(result?.createWebhookSecret);
            return result;
          }} />
        <${Ask} label="Delete" title="Delete this webhook?" action="Delete" isRunning=${isRemoving} text="It receives no more messages, and pending ones are dropped."
          run=${async () => {
            const result = await remove({ id });
            if (result) go('/webhooks');
            return result;
          }} />`
      }
    <//>
    ${
      !webhook
        ? html`<${Skeleton} lines=${4} />`
        : html`<${Facts} of=${[
            ['URL', html`<span class="text">${webhook.url}</span>`],
            ['Events', webhook.types.join(', ')],
            ['State', html`<${Badge} of=${stateOf(webhook)} />`],
            ['Why', webhook.disabledReason && words(webhook.disabledReason)],
            [
              'Two secrets until',
              webhook.formerSecretUntil && html`<${Time} at=${webhook.formerSecretUntil} full />`,
            ],
            ['Created', html`<${Time} at=${webhook.createdAt} full />`],
          ]} />`
    }
    <${Section} title="Deliveries" actions=${html`<${Select} label="State" value=${status} onChange=${(state) => filter({ state })} options=${STATES} />`}>
      <${Deliveries} list=${deliveries} isFiltered=${status !== ''} isSending=${isSending} resend=${(deliveryId) => then(resend)({ id, deliveryId })} /><//>
    ${
      edited &&
      html`<${FormDialog} title="Change webhook ${id}" action="Save" isRunning=${isChanging} onClose=${() => setEdited()}
        submit=${(values) => then(change)({ id, input: inputOf(values), version: edited.version })}><${WebhookFields} of=${edited} /><//>`
    }
    ${rotated && html`<${Secret} title="The new signing secret" secret=${rotated.secret} onClose=${() => setRotated(undefined)} />`}
  `;
}

/** Milliseconds before deliveries with pending attempts are read again: the outcome of an attempt is not an event. */
const AGAIN = 700;
/** The maximum after failed reads, each of which doubles the pause. */
const AGAIN_MOST = 15_000;
/** Milliseconds before and after now within which a due attempt is waited for. An older one waits for other attempts of its webhook. */
const SOON = 6000;
const LONGEST = 20_000;

const isTried = ({ attempts }) =>
  attempts.some(({ finishedAt, dueAt }) => {
    const wait = new Date(dueAt) - serverNow();
    return !finishedAt && wait < SOON && wait > -LONGEST;
  });

/** Reads deliveries again while their attempts are in progress or about to start. */
function useOutcomes({ rows, error, again }) {
  const failures = useRef(0);
  // A failed read says nothing about the rows.
  const areTried = useMemo(() => rows.some(isTried), [rows]);
  useEffect(() => {
    failures.current = error ? failures.current + 1 : 0;
    if (!areTried) return undefined;
    const timer = setTimeout(again, Math.min(AGAIN_MOST, AGAIN * 2 ** failures.current));
    return () => clearTimeout(timer);
  }, [rows, error]);
}

function Deliveries({ list, isFiltered, resend, isSending }) {
  const { rows, isLoading, error, retry } = list;
  useOutcomes(list);
  if (error && rows.length === 0) return html`<${Problem} error=${error} again=${retry} />`;
  if (isLoading) return html`<${Skeleton} lines=${5} />`;
  if (rows.length === 0)
    return html`<p class="soft">${isFiltered ? 'No message is in this state.' : 'No messages yet. Send a test, or wait for the first event of its types.'}</p>`;
  return html`
    <ul class="deliveries">
      ${rows.map(
        (delivery) => html`<li key=${delivery.id}>
          <details>
            <summary><span class="text">${delivery.type}</span><${Badge} of=${delivery.status} /><span class="soft">${counted(delivery.attempts.length, 'attempt')}</span><${Time} at=${delivery.createdAt} /></summary>
            <${Facts} of=${[
              ['Event', html`<${Link} to="/events/${delivery.eventId}">Event ${delivery.eventId}<//>`],
              ['Message', html`<${Copy} text=${delivery.messageId} what="Message id" />`],
            ]} />
            <ol class="attempts">${delivery.attempts.map((attempt) => html`<${Attempt} key=${attempt.id} of=${attempt} />`)}</ol>
          </details>
          <button type="button" class="quiet" disabled=${isSending} onClick=${() => resend(delivery.id)} aria-label="Resend ${delivery.type}, delivery ${delivery.id}">Resend</button>
        </li>`,
      )}
    </ul>
    <${More} list=${list}>Older deliveries<//>
  `;
}

const Attempt = ({
  of: { number, trigger, dueAt, startedAt, finishedAt, durationMs, status, error, answer },
}) => html`
  <li>
    <p>
      <strong>Attempt ${number}</strong>
      ${!finishedAt ? html`<span class="soft">${startedAt ? 'in progress' : html`due <${Time} at=${dueAt} />`}</span>` : html`<${Badge} of=${error ? 'failed' : 'delivered'} />`}
      ${status && html`<span class="number">HTTP ${status}</span>`}
      ${error && html`<span class="soft">${words(error)}</span>`}
      ${durationMs !== null && html`<span class="soft number">${durationMs} ms</span>`}
      ${trigger === 'redelivery' && html`<span class="soft">on request</span>`}
      ${finishedAt && html`<${Time} at=${finishedAt} />`}
    </p>
    ${answer && html`<pre tabindex="0" aria-label="Response"><code>${answer}</code></pre>`}
  </li>
`;
