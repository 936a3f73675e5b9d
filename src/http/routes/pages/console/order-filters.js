/** Filters of the organisation's orders. Their state is in the URL. */
import { useId, useState } from 'preact/hooks';
import { may } from './caller.js';
import { FilterField, LAST_DAY, Select } from './fields.js';
import { dayAfter, limitsOf, optionsOf } from './filter-values.js';
import { html } from './html.js';
import { useWhole } from './list.js';
import { PersonSelect } from './person-select.js';
import { filter, query, setFilter } from './router.js';

const PRODUCTS = `query FilterProducts($first: Int, $after: String) {
  products(first: $first, after: $after) { nodes { id name currency } endCursor hasNextPage }
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

const isOneOf = (options) => (text) => options.some(([option]) => option === text);
const isNumber = (text) => /^[1-9]\d{0,14}$/.test(text);
const isAmount = (text) => Number(text) >= 0;
const isDate = (text) => dayAfter(text, 0) !== undefined;

/** The filters, each with the test of its values: those of links that people write may be anything. */
const VALID = {
  person: isNumber,
  status: isOneOf(STATUSES),
  sort: isOneOf([...BY_TIME, ...BY_TOTAL]),
  product: isNumber,
  from: isDate,
  until: isDate,
  currency: (text) => /^[A-Z]{3}$/.test(text),
  min: isAmount,
  max: isAmount,
};

/** Returns a filter of the URL; an empty text if it is not set or cannot be the value of one. */
function filterOf(name) {
  const text = query.value.get(name) ?? '';
  return text && VALID[name](text) ? text : '';
}

/** Returns the filters in the URL as variables of `organisationOrders`. */
export function orderVariables() {
  const get = (name) => filterOf(name) || null;
  const currency = get('currency');
  return {
    status: get('status') && [get('status')],
    userId: get('person'),
    productId: get('product'),
    currency,
    ...limitsOf(get('from'), get('until')),
    minTotal: currency && amount(get('min')),
    maxTotal: currency && amount(get('max')),
    sort: sortOf(),
  };
}

/** Returns the order. A list by product can only be sorted by time, and totals need a currency. */
function sortOf() {
  const sort = filterOf('sort');
  return sort && (!filterOf('product') || isOneOf(BY_TIME)(sort)) ? sort : 'created_at_desc';
}

/** Filters that are shown on request, or if they are set. */
const FURTHER = ['product', 'from', 'until', 'currency', 'min', 'max'];
const NAMES = ['person', 'status', ...FURTHER];

/** Whether any filter is set. */
export const isFiltered = () => NAMES.some(filterOf);

export const clearFilters = () => filter(Object.fromEntries(NAMES.map((name) => [name])));

export function OrderFilters() {
  const products = useWhole(PRODUCTS, {}, (data) => data.products);
  const value = filterOf;
  const currencies = [...new Set(products.rows.map(({ currency }) => currency))].sort();
  if (value('currency') && !currencies.includes(value('currency'))) currencies.push(value('currency'));
  const input = (name) => ({ value: value(name), onChange: setFilter(name) });
  const choose = (product) => filter({ product, ...(product && { sort: '' }) });
  const chooseCurrency = (currency) => filter({ currency, ...(!currency && { min: '', max: '' }) });
  const [isOpen, setOpen] = useState(FURTHER.some(value));
  const id = useId();
  return html`
    <div role="search" aria-label="Orders">
      <div class="filters">
        ${may('read:users') && html`<${PersonSelect} value=${value('person')} />`}
        <${Select} label="Status" options=${STATUSES} ...${input('status')} />
        <${Select} label="Sort" value=${sortOf()} options=${value('product') ? BY_TIME : [...BY_TIME, ...BY_TOTAL]} onChange=${setFilter('sort')} />
        <div class="filter-buttons">
          <button type="button" class="quiet" aria-expanded=${isOpen} aria-controls=${id} onClick=${() => setOpen(!isOpen)}>${isOpen ? 'Fewer filters' : 'More filters'}</button>
          ${isFiltered() && html`<button type="button" class="quiet" onClick=${clearFilters}>Clear</button>`}
        </div>
      </div>
      <div class="filters" id=${id} hidden=${!isOpen}>
        <${Select} label="Product" value=${value('product')} options=${optionsOf(products, value('product'), 'Product')} onChange=${choose} />
        <${FilterField} label="Placed from" type="date" max=${value('until') || LAST_DAY} ...${input('from')} />
        <${FilterField} label="Placed until" type="date" max=${LAST_DAY} min=${value('from')} ...${input('until')} />
        <${Select} label="Currency" value=${value('currency')} options=${[['', 'All'], ...currencies.map((code) => [code, code])]} onChange=${chooseCurrency} />
        ${
          value('currency') &&
          html`<${FilterField} label="Total from" type="number" min="0" step="any" class="amount" ...${input('min')} />
          <${FilterField} label="Total to" type="number" min="0" step="any" class="amount" ...${input('max')} />`
        }
      </div>
    </div>
  `;
}
