/** Refunds of a charge, full or partial. */
import { useChange } from './data.js';
import { FormOpener } from './dialogs.js';
import { Field } from './fields.js';
import { decimalsOf, money } from './format.js';
import { html } from './html.js';
import { Badge, Money, Section, Time } from './ui.js';

const REFUND = `mutation RefundCharge($id: ID!, $amount: MoneyInput, $key: String!) {
  refundCharge(id: $id, amount: $amount, idempotencyKey: $key) { id status amountRefunded { value currency } }
}`;

/** Returns the refundable rest as text. It is exact, since amounts have few digits. */
const leftOf = ({ amount, amountRefunded }) =>
  (amount.value - amountRefunded.value).toFixed(decimalsOf(amount.currency));

/** Whether anything is left to refund. */
const isRefundable = (charge) => charge.status === 'succeeded' && Number(leftOf(charge)) > 0;

/** A button, and the form that it opens. By default the whole rest is refunded. */
export function Refund({ of: charge, again }) {
  const [run] = useChange(
    REFUND,
    ({ refundCharge: { amountRefunded } }) =>
      `${money(amountRefunded.value, amountRefunded.currency)} of charge ${charge.id} is refunded.`,
    again,
  );
  const { currency } = charge.amount;
  const left = leftOf(charge);
  const step = (10 ** -decimalsOf(currency)).toFixed(decimalsOf(currency));
  const submit = ({ value }, key) => run({ id: charge.id, amount: { value: Number(value), currency }, key });
  return html`
    <${FormOpener} label="Refund" isOffered=${isRefundable(charge)} title="Refund charge ${charge.id}" action="Refund" isDanger submit=${submit}>
      <${Field} label="Amount in ${currency}" name="value" type="number" required min=${step} max=${left} step=${step} value=${left}
        hint="Up to ${money(Number(left), currency)} can be refunded. A refund goes back to the source of the charge and cannot be undone." />
    <//>
  `;
}

/** The refunds of a charge, newest first; nothing if there are none. */
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
