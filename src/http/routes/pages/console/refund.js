/** Giving money of a charge back, as a whole or in part. */
import { useRef, useState } from 'preact/hooks';
import { useChange } from './data.js';
import { money } from './format.js';
import { html } from './html.js';
import { Badge, Field, FormDialog, Money, Opener, Section, Time } from './ui.js';

const REFUND = `mutation RefundCharge($id: ID!, $amount: MoneyInput, $key: String!) {
  refundCharge(id: $id, amount: $amount, idempotencyKey: $key) { id status amountRefunded { value currency } }
}`;

/** Digits behind the point of a currency's amounts. */
const digitsOf = (currency) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;

/** What is left to refund, as text: exact, since amounts have few digits. */
const leftOf = ({ amount, amountRefunded }) =>
  (amount.value - amountRefunded.value).toFixed(digitsOf(amount.currency));

/** Whether any money is left that could be given back. */
export const isRefundable = (charge) => charge?.status === 'succeeded' && Number(leftOf(charge)) > 0;

/** A button, and the form that it opens. The whole rest is refunded unless a part is typed. */
export function Refund({ of: charge, again }) {
  const [isOpen, setOpen] = useState(false);
  const [run, isRunning] = useChange(
    REFUND,
    ({ refundCharge: { amountRefunded } }) =>
      `${money(amountRefunded.value, amountRefunded.currency)} of charge ${charge.id} is refunded.`,
  );
  const { currency } = charge.amount;
  const left = leftOf(charge);
  const step = (10 ** -digitsOf(currency)).toFixed(digitsOf(currency));
  /** The last attempt: a retry of it moves no money twice, and another amount is another refund. */
  const attempt = useRef({});
  const open = () => {
    attempt.current = {};
    setOpen(true);
  };
  const submit = async ({ value }) => {
    if (attempt.current.value !== value) attempt.current = { value, key: crypto.randomUUID() };
    const amount = { value: Number(value), currency };
    const data = await run({ id: charge.id, amount, key: attempt.current.key });
    again();
    return Boolean(data);
  };
  return html`
    <${Opener} onClick=${open}>Refund<//>
    ${
      isOpen &&
      html`<${FormDialog} title="Refund charge ${charge.id}" action="Refund" isDanger submit=${submit} isRunning=${isRunning} onClose=${() => setOpen(false)}>
        <${Field} label="Amount in ${currency}" name="value" type="number" required min=${step} max=${left} step=${step} value=${left}
          hint="${money(Number(left), currency)} can be refunded. It goes back to its source, and cannot be undone." />
      <//>`
    }
  `;
}

/** The refunds of a charge, newest first. Nothing where there is none. */
export const Refunds = ({ of: { refunds } }) =>
  refunds.length > 0 &&
  html`<${Section} title="Refunds">
    <ul class="lines">
      ${refunds.map(
        ({ id, amount, status, createdAt }) =>
          html`<li key=${id}><span>Refund ${id}</span><${Badge} of=${status} /><${Money} ...${amount} /><${Time} at=${createdAt} /></li>`,
      )}
    </ul>
  <//>`;
