/** The interactive parts of the documentation: search, and a form to try routes as the signed-in person. */
import { resultOf, textOf } from './http.js';
import { fetchSignedIn } from './session.js';
import './sign-in.js';
import './theme.js';

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The table of contents is open beside a wide page, and closed above a narrow one. */
const contents = document.querySelector('.contents details');
const narrow = matchMedia('(max-width: 60rem)');
const adapt = () => {
  contents.open = !narrow.matches;
};
narrow.addEventListener('change', adapt);
adapt();

/** Opens the operation in the fragment of the URL. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();

const MAX_FOUND = 12;

function addSearch(place) {
  let entries;
  const list = element('ul', { id: 'found', role: 'listbox', 'aria-label': 'Results', hidden: true });
  const input = element('input', {
    type: 'search',
    placeholder: 'Search (Ctrl K)',
    autocomplete: 'off',
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-controls': 'found',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
  });
  let active = 0;
  const options = () => [...list.children];
  const mark = () => {
    for (const [index, option] of options().entries())
      option.setAttribute('aria-selected', String(index === active));
    input.setAttribute('aria-activedescendant', options()[active]?.id ?? '');
  };
  const leave = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
  };
  const follow = (option) => {
    leave();
    location.assign(option.dataset.href);
  };
  async function show() {
    // Without the entries there is nothing to find. The next key press tries again.
    entries ??= await resultOf(fetch(place.dataset.search)).catch(() => undefined);
    if (!entries) return;
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = entries
      .filter(({ title, page }) => words.every((word) => `${title} ${page}`.toLowerCase().includes(word)))
      // Titles that begin with the first word come first, and short titles before long ones.
      .sort((one, other) => rank(one, words) - rank(other, words) || one.title.length - other.title.length)
      .slice(0, MAX_FOUND);
    active = 0;
    list.replaceChildren(
      ...found.map(({ title, page }, index) =>
        element(
          'li',
          { role: 'option', id: `found-${index}`, onclick: (event) => follow(event.currentTarget) },
          element('span', { textContent: title }),
          element('small', { textContent: page }),
        ),
      ),
    );
    for (const [index, { place: href }] of found.entries()) {
      options()[index].dataset.href = new URL(href, new URL(place.dataset.search, location.href)).href;
    }
    list.hidden = words.length === 0 || found.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    mark();
  }
  input.addEventListener('input', show);
  input.addEventListener('blur', () => setTimeout(leave, 150));
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = options().length;
    if (event.key === 'Escape') leave();
    else if (step && count > 0) active = (active + step + count) % count;
    else if (event.key === 'Enter' && options()[active] && !list.hidden) follow(options()[active]);
    else return;
    event.preventDefault();
    mark();
  });
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  place.append(input, list);
}

const rank = ({ title }, [first = '']) => (title.toLowerCase().startsWith(first) ? 0 : 1);

for (const place of document.querySelectorAll('[data-search]')) addSearch(place);

/** The URL of the server, without a trailing slash. */
const BASE = new URL('../../', import.meta.url).href.replace(/\/$/, '');

function field({ name, place, required, example }, index, id) {
  const input = element('input', {
    id: `${id}-${index}`,
    name: String(index),
    required,
    value: required ? (example ?? '') : '',
  });
  return element(
    'div',
    { className: 'field' },
    element('label', { htmlFor: input.id, textContent: `${name} (${place})` }),
    input,
  );
}

/** Adds a form that sends the request. It is created when its operation is first opened. */
function addTrial(place, id) {
  const { method, path, fields, body } = JSON.parse(place.dataset.try);
  const result = element('div', { className: 'result', role: 'status' });
  const text = body === undefined ? undefined : JSON.stringify(body, null, 2);
  const area =
    text &&
    element('textarea', {
      id: `${id}-body`,
      name: 'body',
      rows: Math.min(16, text.split('\n').length),
      value: text,
      spellcheck: false,
    });
  const button = element('button', { type: 'submit', textContent: 'Send' });
  const form = element(
    'form',
    {},
    element('h3', { textContent: 'Try it' }),
    ...fields.map((one, index) => field(one, index, id)),
    ...(area
      ? [
          element(
            'div',
            { className: 'field' },
            element('label', { htmlFor: area.id, textContent: 'Body' }),
            area,
          ),
        ]
      : []),
    button,
    result,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const values = new FormData(form);
    const query = new URLSearchParams();
    const headers = new Headers(text ? { 'content-type': 'application/json' } : {});
    let target = path;
    for (const [index, { name, place: where }] of fields.entries()) {
      const value = values.get(String(index));
      if (where === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
      else if (value && where === 'query') query.append(name, value);
      else if (value) headers.set(name, value);
    }
    const url = `${BASE}${target}${query.size > 0 ? `?${query}` : ''}`;
    const began = performance.now();
    // A second click would send the request twice.
    button.disabled = true;
    try {
      const sent = fetchSignedIn(url, { method, headers, body: text && values.get('body') });
      const { response, text: answer } = await textOf(sent);
      const took = Math.round(performance.now() - began);
      result.replaceChildren(
        element('p', { textContent: `${response.status} ${response.statusText}, ${took} ms` }),
        element('pre', { tabIndex: 0 }, element('code', { textContent: pretty(answer) })),
      );
    } catch (error) {
      result.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  });
  place.append(form);
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

for (const operation of document.querySelectorAll('details.operation')) {
  const place = operation.querySelector('[data-try]');
  const make = () => operation.open && place.childElementCount === 0 && addTrial(place, operation.id);
  operation.addEventListener('toggle', make);
  make();
}
