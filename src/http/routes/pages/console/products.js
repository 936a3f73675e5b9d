/** Products: the list of the organisation, with a search by name, and a form to add one. */
import { may } from './caller.js';
import { useChange } from './data.js';
import { FormOpener } from './dialogs.js';
import { FilterField, Select } from './fields.js';
import { html } from './html.js';
import { useList } from './list.js';
import { ProductFields, productInput } from './product-fields.js';
import { filter, query, setFilter } from './router.js';
import { Table, timeColumn } from './table.js';
import { Empty, Money, PageHead } from './ui.js';

const LIST = `query Products($archived: Boolean!, $q: String, $first: Int, $after: String) {
  products(archived: $archived, q: $q, first: $first, after: $after) {
    nodes { id name unitPrice currency createdAt updatedAt }
    endCursor hasNextPage
  }
}`;

const CREATE =
  'mutation CreateProduct($input: CreateProductInput!, $key: String!) { createProduct(input: $input, idempotencyKey: $key) { id name } }';

const COLUMNS = [
  { name: 'name', title: 'Name', of: ({ name }) => name, width: '2.4fr', place: 'a' },
  { name: 'id', title: 'Number', of: ({ id }) => `Product ${id}`, place: 'b' },
  {
    name: 'price',
    title: 'Price',
    of: ({ unitPrice, currency }) => html`<${Money} value=${unitPrice} currency=${currency} />`,
    isNumber: true,
    place: 'c',
  },
  timeColumn('updatedAt', 'Changed', 'd'),
];

const STATES = [
  ['', 'Active'],
  ['archived', 'Archived'],
];

const clear = () => filter({ q: '', state: '' });

export function Products() {
  const q = query.value.get('q')?.trim() || null;
  const isArchived = query.value.get('state') === 'archived';
  const variables = { archived: isArchived, q };
  const list = useList(LIST, variables, (data) => data.products, { on: ['product'] });
  return html`
    <${PageHead} title="Products" operation=${{ document: LIST, variables: { ...variables, first: 20 } }}>
      ${may('write:products') && html`<${Create} />`}
    <//>
    <div class="filters" role="search" aria-label="Products">
      <${FilterField} label="Name" type="search" maxlength="200" value=${q ?? ''} onChange=${(text) => filter({ q: text.trim() })} />
      <${Select} label="State" value=${isArchived ? 'archived' : ''} options=${STATES} onChange=${setFilter('state')} />
      ${(q || isArchived) && html`<div class="filter-buttons"><button type="button" class="quiet" onClick=${clear}>Clear</button></div>`}
    </div>
    <${Table} label="Products" columns=${COLUMNS} list=${list} href=${({ id }) => `/products/${id}`}
      empty=${q || isArchived ? html`<${NoMatch} />` : html`<${NoProducts} />`} />
  `;
}

const NoMatch = () => html`
  <${Empty} title="No product matches">
    <p>The search finds products whose name contains all of its words.</p>
    <p><button type="button" onClick=${clear}>Show all active products</button></p>
  <//>
`;

const NoProducts = () => html`
  <${Empty} title="No products yet">
    <p>An order consists of products, and keeps the names and prices that they have when it is placed.</p>
  <//>
`;

/** A button, and the form that it opens. */
function Create() {
  const [create] = useChange(CREATE, ({ createProduct: { name } }) => `${name} was added.`);
  const submit = (values, key) => create({ input: productInput(values), key });
  const next = ({ createProduct: { id } }) => `/products/${id}`;
  return html`<${FormOpener} class="primary" label="Add product" title="Add a product" action="Add" submit=${submit} next=${next}><${ProductFields} /><//>`;
}
