/** Filters of the audit log. Their state is in the URL. */
import { may } from './caller.js';
import { FilterField, LAST_DAY, Select } from './fields.js';
import { limitsOf } from './filter-values.js';
import { html } from './html.js';
import { PersonSelect } from './person-select.js';
import { filter, query, setFilter } from './router.js';

/** The types of entries, from the server. The URL accepts any type. */
const AUDIT_TYPES = JSON.parse(document.getElementById('console').dataset.auditTypes);

const NAMES = ['type', 'person', 'from', 'until'];

/** Whether any filter is set. */
export const isFiltered = () => NAMES.some((name) => query.value.get(name));

export const clearFilters = () => filter(Object.fromEntries(NAMES.map((name) => [name])));

/** Returns the filters in the URL as variables of `auditLog`. */
export function auditVariables() {
  const get = (name) => query.value.get(name) || null;
  return {
    types: get('type') && [get('type')],
    actorId: get('person'),
    ...limitsOf(get('from'), get('until')),
  };
}

export function AuditFilters() {
  const value = (name) => query.value.get(name) ?? '';
  const input = (name) => ({ value: value(name), onChange: setFilter(name) });
  const type = value('type');
  const types = type && !AUDIT_TYPES.includes(type) ? [...AUDIT_TYPES, type] : AUDIT_TYPES;
  return html`
    <div class="filters" role="search" aria-label="Audit log">
      <${Select} label="Type" options=${[['', 'All'], ...types.map((one) => [one, one])]} ...${input('type')} />
      ${may('read:users') && html`<${PersonSelect} value=${value('person')} />`}
      <${FilterField} label="From" type="date" max=${value('until') || LAST_DAY} ...${input('from')} />
      <${FilterField} label="Until" type="date" max=${LAST_DAY} min=${value('from')} ...${input('until')} />
      ${isFiltered() && html`<div class="filter-buttons"><button type="button" class="quiet" onClick=${clearFilters}>Clear</button></div>`}
    </div>
  `;
}
