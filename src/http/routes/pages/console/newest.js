/** The newest orders or charges on other pages than their own. */
import { html } from './html.js';
import { Badge, Link, Money, Section, Skeleton, Time } from './ui.js';

const OrderLine = ({ of: { id, status, total, currency, createdAt } }) => html`
  <li><${Link} to="/orders/${id}">Order ${id}<//><${Badge} of=${status} /><${Money} value=${total} currency=${currency} /><${Time} at=${createdAt} /></li>
`;

const ChargeLine = ({ of: { id, status, amount, createdAt } }) => html`
  <li><${Link} to="/charges/${id}">Charge ${id}<//><${Badge} of=${status} /><${Money} ...${amount} /><${Time} at=${createdAt} /></li>
`;

/**
 * @param rows the rows in their order; undefined until they have been read.
 * @param href the page of all, if there is one.
 * @param empty what to show without rows.
 */
const Newest = ({ title, rows, href, of: Line, empty }) => html`
  <${Section} title=${title} actions=${href && html`<${Link} to=${href}>All<//>`}>
    ${
      rows === undefined
        ? html`<${Skeleton} lines=${5} />`
        : rows.length === 0
          ? html`<p class="soft">${empty}</p>`
          : html`<ul class="lines">${rows.map((row) => html`<${Line} key=${row.id} of=${row} />`)}</ul>`
    }
  <//>
`;

export const NewestOrders = (props) => html`<${Newest} ...${props} of=${OrderLine} />`;
export const NewestCharges = (props) => html`<${Newest} ...${props} of=${ChargeLine} />`;
