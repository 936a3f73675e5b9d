/** The choice of a person of the organisation as a filter, whose state is in the URL. */
import { session } from './caller.js';
import { Select } from './fields.js';
import { optionsOf } from './filter-values.js';
import { html } from './html.js';
import { useWhole } from './list.js';
import { setFilter } from './router.js';

const PEOPLE = `query FilterPeople($org: String!, $first: Int, $after: String) {
  members(org: $org, first: $first, after: $after) { nodes { id name } endCursor hasNextPage }
}`;

/** @param value the id of the chosen person; an empty text for all. */
export function PersonSelect({ value }) {
  const people = useWhole(PEOPLE, { org: session.value.org }, (data) => data.members);
  return html`<${Select} label="Person" value=${value} options=${optionsOf(people, value, 'Person')} onChange=${setFilter('person')} />`;
}
