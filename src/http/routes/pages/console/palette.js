/** The search palette (Ctrl+K): pages, actions, and objects by number or name. */
import { computed, signal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { signOut } from '../pages/session.js';
import { may, session } from './caller.js';
import { sentence } from './format.js';
import { graph } from './graph.js';
import { html } from './html.js';
import { pages } from './pages.js';
import { BASE, go } from './router.js';
import { nextTheme } from './theme.js';

const isOpen = signal(false);

export const openPalette = () => {
  isOpen.value = true;
};

export function watchKeys() {
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k' || !session.value) return;
    event.preventDefault();
    isOpen.value = !isOpen.value;
  });
}

/** Milliseconds without a key press before the server is queried. */
const TYPING = 120;
/** Number of rows of each list that are searched by name. */
const SEARCHED = 100;
/** Maximum number of results. */
const MAX_FOUND = 20;

const commands = computed(() => [
  ...pages.value.map(({ path, title }) => ({ title, kind: 'Page', run: () => go(path) })),
  { title: 'Change theme', kind: 'Action', run: nextTheme },
  { title: 'Open GraphiQL', kind: 'Action', run: () => location.assign(`${BASE}graphql`) },
  { title: 'Open the guides', kind: 'Action', run: () => location.assign(`${BASE}docs`) },
  { title: 'Sign out', kind: 'Action', run: signOut },
]);

const hit = (kind, path, title, detail) => ({ title, detail, kind, run: () => go(path) });

/** Queries by number: scope, selection, field and result. */
const NUMBERED = [
  [
    'read:orders',
    'order(id: $id) { id status total currency }',
    'order',
    ({ id, status, total, currency }) =>
      hit('Order', `/orders/${id}`, `Order ${id}`, `${status}, ${total} ${currency}`),
  ],
  [
    'read:charges',
    'charge(id: $id) { id status amount { value currency } }',
    'charge',
    ({ id, status, amount }) =>
      hit('Charge', `/charges/${id}`, `Charge ${id}`, `${status}, ${amount.value} ${amount.currency}`),
  ],
  [
    'read:docs',
    'document(org: $org, id: $id) { id title }',
    'document',
    ({ id, title }) => hit('Document', `/documents/${id}`, title, `Document ${id}`),
  ],
  [
    'read:users',
    'user(id: $id) { id name role }',
    'user',
    ({ id, name, role }) => hit('Person', `/people/${id}`, name, sentence(role)),
  ],
];

const NAMED = [
  [
    'read:docs',
    `documents(org: $org, first: ${SEARCHED}) { nodes { id title } }`,
    'documents',
    ({ id, title }) => hit('Document', `/documents/${id}`, title, `Document ${id}`),
  ],
  [
    'read:users',
    `members(org: $org, first: ${SEARCHED}) { nodes { id name email } }`,
    'members',
    ({ id, name, email }) => hit('Person', `/people/${id}`, name, email),
  ],
  [
    'manage:webhooks',
    `webhooks(first: ${SEARCHED}) { nodes { id url } }`,
    'webhooks',
    ({ id, url }) => hit('Webhook', `/webhooks/${id}`, url, `Webhook ${id}`),
  ],
  [
    'manage:api-keys',
    `apiKeys(first: ${SEARCHED}) { nodes { id name prefix } }`,
    'apiKeys',
    ({ name, prefix }) => hit('API key', '/api-keys', name, prefix),
  ],
  [
    'manage:apps',
    `apps(first: ${SEARCHED}) { nodes { id name clientId } }`,
    'apps',
    ({ id, name, clientId }) => hit('App', `/apps/${id}`, name, clientId),
  ],
];

/** Runs the parts that the caller may read as one operation. A refused part, such as an object of another organisation, is omitted. */
async function find(parts, variables, declared, abort) {
  const allowed = parts.filter(([scope]) => may(scope));
  const document = `query Search(${declared}) { ${allowed.map(([, part]) => part).join(' ')} }`;
  const data = await graph(document, variables, { signal: abort, partial: true });
  return allowed.flatMap(([, , name, show]) => (data[name]?.nodes ?? [data[name]]).filter(Boolean).map(show));
}

const contains = (text, wanted) => text.toLowerCase().includes(wanted);

/** Returns the commands that match a text; all for an empty one. */
const commandsFor = (text) =>
  commands.value.filter(({ title }) => contains(title, text.trim().toLowerCase()));

/** Queries the server for objects with this number or name. */
async function search(text, abort) {
  const wanted = text.trim().toLowerCase();
  const number = /^(?:[a-z]+ )?#?(\d{1,15})$/.exec(wanted)?.[1];
  const { org } = session.value;
  if (number) {
    const isOrgUsed = NUMBERED.some(([scope, part]) => may(scope) && part.includes('$org'));
    const found = await find(
      NUMBERED,
      { id: number, org },
      isOrgUsed ? '$id: ID!, $org: String!' : '$id: ID!',
      abort,
    );
    // `order 7` finds only orders.
    const kind = /^[a-z]+/.exec(wanted)?.[0] ?? '';
    return found.filter((one) => one.kind.toLowerCase().startsWith(kind));
  }
  const all = await find(NAMED, { org }, '$org: String!', abort);
  return all
    .filter(({ title, detail }) => contains(title, wanted) || contains(detail, wanted))
    .slice(0, MAX_FOUND);
}

/** Returns matching commands at once, and results of the server once they arrive: `{results, isPending, problem}`. */
function useResults(text) {
  const [found, setFound] = useState({ text: '', hits: [] });
  useEffect(() => {
    if (!text.trim()) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      search(text, abort.signal)
        .then((hits) => setFound({ text, hits }))
        .catch(
          (error) => error.name !== 'AbortError' && setFound({ text, hits: [], problem: error.message }),
        );
    }, TYPING);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  const isKnown = found.text === text;
  const results = [...commandsFor(text), ...(isKnown ? found.hits : [])];
  return { results, isPending: !isKnown && text.trim() !== '', problem: isKnown ? found.problem : undefined };
}

function Search() {
  const dialog = useRef();
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { results, isPending, problem } = useResults(text);
  /** Whether Enter was pressed before there was a result: the first result is then opened once it arrives. */
  const isWaiting = useRef(false);
  // A layout effect opens the dialog before the next key event, so that fast typing is not lost.
  useLayoutEffect(() => dialog.current.showModal(), []);
  useEffect(() => setActive(0), [text]);
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }), [active]);
  const close = () => {
    isOpen.value = false;
  };
  const run = (result) => {
    close();
    result.run();
  };
  useEffect(() => {
    if (isWaiting.current && results[0]) run(results[0]);
    isWaiting.current &&= isPending;
  }, [results.length, isPending]);
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setActive((active + step + results.length) % Math.max(1, results.length));
    else if (event.key === 'Enter' && results[active]) run(results[active]);
    else if (event.key === 'Enter') isWaiting.current = isPending;
    else return;
    event.preventDefault();
  };
  return html`
    <dialog ref=${dialog} class="palette" aria-label="Search" onClose=${close} onClick=${(event) => event.target === dialog.current && close()}>
      <input type="text" role="combobox" aria-label="Search" aria-expanded="true" aria-controls="${id}-list" aria-autocomplete="list"
        aria-activedescendant=${results.length > 0 ? `${id}-${active}` : undefined} placeholder="A page, a name, or a number such as order 7"
        value=${text} onInput=${(event) => {
          isWaiting.current = false;
          setText(event.currentTarget.value);
        }} onKeyDown=${onKeyDown} autocomplete="off" spellcheck="false" />
      <ul role="listbox" id="${id}-list" aria-label="Results">
        ${results.map(
          (
            result,
            index,
          ) => html`<li role="option" id="${id}-${index}" key=${index} aria-selected=${index === active}
            onMouseMove=${() => setActive(index)} onClick=${() => run(result)}>
            <span class="result-title">${result.title}</span><span class="soft">${result.detail}</span><span class="kind">${result.kind}</span>
          </li>`,
        )}
      </ul>
      <p class="palette-foot" role="status">${problem ?? (results.length > 0 ? '↑ ↓ to move, Enter to open, Esc to close' : isPending ? 'Searching' : 'No results.')}</p>
    </dialog>
  `;
}

export const Palette = () => isOpen.value && html`<${Search} />`;
