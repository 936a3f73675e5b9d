/** The messages of a webhook with their attempts, and a button to resend each. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { serverNow } from '../pages/session.js';
import { useChange } from './data.js';
import { counted, words } from './format.js';
import { html } from './html.js';
import { Badge, Copy, Facts, Link, More, Problem, Skeleton, Time } from './ui.js';

const RESEND = `mutation Resend($id: ID!, $deliveryId: ID!) { createWebhookAttempt(webhookId: $id, deliveryId: $deliveryId) { id number } }`;

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

/**
 * @param webhookId the webhook that the messages of the list are for.
 * @param again called when a message is being sent again.
 */
export function Deliveries({ webhookId, list, isFiltered, again }) {
  const { rows, isLoading, error, retry } = list;
  const [send, isSending] = useChange(RESEND, 'The message is being sent again.', again);
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
          <button type="button" class="quiet" disabled=${isSending} onClick=${() => send({ id: webhookId, deliveryId: delivery.id })} aria-label="Resend ${delivery.type}, delivery ${delivery.id}">Resend</button>
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
