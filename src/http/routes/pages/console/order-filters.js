/** Filters of the organisation's orders. Their state is in the URL. */
import { useId, useState } from 'preact/hooks';
import { session } from './caller.js';
import { useQuery } from './data.js';
import { limitsOf, optionsOf } from './filter-values.js';
import { html } from './html.js';
import { filter, query } from './router.js';
import { Field, Select } from './ui.js';

const CHOICES = `query OrderFilters($org: String!, $people: Boolean!) {
  members(org: $org, first: 100) @include(if: $people) { nodes { id name } }
  products(first: 100) { nodes { id name currency } }
}`;

const STATUSES = [
  ['', 'All'],
  ['pending', 'Pending'],
  ['shipped', 'Shipped'],
  ['cancelled', 'Cancelled'],
];
const BY_TIME = [
  ['created_at_desc', 'Newest'],
  ['created_at', 'Oldest'],
];
const BY_TOTAL = [
  ['total_desc', 'Greatest total'],
  ['total', 'Smallest total'],
];

const amount = (text) => (text && Number.isFinite(Number(text)) ? Number(text) : null);

/** Returns the filters in the URL as variables of `organisationOrders`. */
export function orderVariables() {
  const get = (name) => query.value.get(name) || null;
  const currency = get('currency');
  return {
    status: get('status') && [get('status')],
    userId: get('person'),
    productId: get('product'),
    currency,
    ...limitsOf(get('from'), get('until')),
    minTotal: currency && amount(get('min')),
    maxTotal: currency && amount(get('max')),
    sort: get('sort') ?? 'created_at_desc',
  };
}

/** Filters that are shown on request, or if they are set. */
const FURTHER = ['product', 'from', 'until', 'currency', 'min', 'max'];
const NAMES = ['person', 'status', ...FURTHER];

/** Whether any filter is set. */
export const isFiltered = () => NAMES.some((name) => query.value.get(name));

export const clearFilters = () => filter(Object.fromEntries(NAMES.map((name) => [name])));

export function OrderFilters() {
  const { org, scopes } = session.value;
  const { data } = useQuery(CHOICES, { org, people: scopes.includes('read:users') });
  const products = data?.products.nodes ?? [];
  const currencies = [...new Set(products.map(({ currency }) => currency))].sort();
  const value = (name) => query.value.get(name) ?? '';
  const set = (name) => (text) => filter({ [name]: text });
  const input = (name) => ({
    value: value(name),
    onChange: (event) => filter({ [name]: event.currentTarget.value }),
  });
  // A list by product can only be sorted by time, and totals need a currency.
  const choose = (product) => filter({ product, ...(product && { sort: '' }) });
  const chooseCurrency = (currency) => filter({ currency, ...(!currency && { min: '', max: '' }) });
  const [isOpen, setOpen] = useState(FURTHER.some(value));
  const id = useId();
  return html`
    <div role="search" aria-label="Orders">
      <div class="filters">
        <${Select} label="Person" value=${value('person')} options=${optionsOf(data?.members?.nodes ?? [], value('person'), 'Person')} onChange=${set('person')} />
        <${Select} label="Status" value=${value('status')} options=${STATUSES} onChange=${set('status')} />
        <${Select} label="Sort" value=${value('sort') || 'created_at_desc'} options=${value('product') ? BY_TIME : [...BY_TIME, ...BY_TOTAL]} onChange=${set('sort')} />
        <div class="filter-buttons">
          <button type="button" class="quiet" aria-expanded=${isOpen} aria-controls=${id} onClick=${() => setOpen(!isOpen)}>${isOpen ? 'Fewer filters' : 'More filters'}</button>
          ${isFiltered() && html`<button type="button" class="quiet" onClick=${clearFilters}>Clear</button>`}
        </div>
      </div>
      <div class="filters" id=${id} hidden=${!isOpen}>
        <${Select} label="Product" value=${value('product')} options=${optionsOf(products, value('product'), 'Product')} onChange=${choose} />
        <${Field} label="Placed from" type="date" max=${value('until')} ...${input('from')} />
        <${Field} label="Placed until" type="date" min=${value('from')} ...${input('until')} />
        <${Select} label="Currency" value=${value('currency')} options=${[['', 'All'], ...currencies.map((code) => [code, code])]} onChange=${chooseCurrency} />
        ${
          value('currency') &&
          html`<${Field} label="Total from" type="number" min="0" step="any" class="amount" ...${input('min')} />
          <${Field} label="Total to" type="number" min="0" step="any" class="amount" ...${input('max')} />`
        }
      </div>
    </div>
  `;
}
