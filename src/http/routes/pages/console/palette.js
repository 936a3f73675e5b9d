/** The search palette (Ctrl+K): pages, actions, and objects by number or name. */
import { computed, signal } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { signOut } from '../pages/session.js';
import { session } from './caller.js';
import { useModal } from './dialogs.js';
import { html } from './html.js';
import { pages } from './pages.js';
import { BASE, go } from './router.js';
import { contains, makeSearch, SEARCHED } from './search.js';
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

const commands = computed(() => [
  ...pages.value.map(({ path, title }) => ({ title, kind: 'Page', run: () => go(path) })),
  { title: 'Change theme', kind: 'Action', run: nextTheme },
  { title: 'Open GraphiQL', kind: 'Action', run: () => location.assign(`${BASE}graphql`) },
  { title: 'Open the guides', kind: 'Action', run: () => location.assign(`${BASE}docs`) },
  { title: 'Sign out', kind: 'Action', run: signOut },
]);

/** Returns the commands that match a text; all for an empty one. */
const commandsFor = (text) =>
  commands.value.filter(({ title }) => contains(title, text.trim().toLowerCase()));

/** Returns matching commands at once, and results of the server once they arrive: `{results, isPending, isCut, problem}`. */
function useResults(text) {
  const [found, setFound] = useState({ text: '', hits: [] });
  const [search] = useState(makeSearch);
  useEffect(() => {
    if (!text.trim()) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      search(text, abort.signal)
        .then((result) => setFound({ text, ...result }))
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
  const { problem, isCut } = isKnown ? found : {};
  return { results, isPending: !isKnown && text.trim() !== '', isCut, problem };
}

function Search() {
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { results, isPending, isCut, problem } = useResults(text);
  const keys = '↑ ↓ to move, Enter to open, Esc to close';
  const outcome = results.length > 0 ? keys : isPending ? 'Searching' : 'No results.';
  const said = isCut ? `${outcome} Of each list, only the first ${SEARCHED} rows were searched.` : outcome;
  /** Whether Enter was pressed before there was a result: the first result is then opened once it arrives. */
  const isWaiting = useRef(false);
  useEffect(() => setActive(0), [text]);
  useEffect(() => document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' }), [active]);
  const close = () => {
    isOpen.value = false;
  };
  const modal = useModal(close);
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
    <dialog ...${modal} class="palette" aria-label="Search" onClick=${({ target, currentTarget }) => target === currentTarget && close()}>
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
      <p class="palette-foot" role="status">${problem ?? said}</p>
    </dialog>
  `;
}

export const Palette = () => isOpen.value && html`<${Search} />`;
