/** A search in the documentation: a field, and a list of results below it. */
import { element } from './element.js';
import { resultOf } from './http.js';

const MAX_FOUND = 12;

/** Milliseconds for which results stay after the field has lost the focus, so that a click on one arrives. */
const LEAVE = 150;

const rank = ({ title }, [first = '']) => (title.toLowerCase().startsWith(first) ? 0 : 1);

/** Returns the entries that contain all words. Titles that begin with the first word come first, and short titles before long ones. */
const matches = (entries, words) =>
  entries
    .filter(({ title, page }) => words.every((word) => `${title} ${page}`.toLowerCase().includes(word)))
    .sort((one, other) => rank(one, words) - rank(other, words) || one.title.length - other.title.length)
    .slice(0, MAX_FOUND);

class Search {
  /** The URL of the entries, which their own URLs are relative to. */
  #source;
  #entries;
  #active = 0;
  #list = element('ul', { id: 'found', role: 'listbox', 'aria-label': 'Results', hidden: true });
  #input = element('input', {
    type: 'search',
    placeholder: 'Search (Ctrl K)',
    autocomplete: 'off',
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-controls': 'found',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
  });

  constructor(place) {
    this.#source = new URL(place.dataset.search, location.href);
    this.#input.addEventListener('input', () => void this.#show());
    this.#input.addEventListener('blur', () => setTimeout(() => this.#open(false), LEAVE));
    this.#input.addEventListener('keydown', (event) => this.#press(event));
    place.append(this.#input, this.#list);
  }

  focus() {
    this.#input.focus();
    this.#input.select();
  }

  get #options() {
    return [...this.#list.children];
  }

  #open(isOpen) {
    this.#list.hidden = !isOpen;
    this.#input.setAttribute('aria-expanded', String(isOpen));
  }

  async #show() {
    // Without the entries there is nothing to find. The next key press tries again.
    this.#entries ??= await resultOf(fetch(this.#source)).catch(() => undefined);
    if (!this.#entries) return;
    const words = this.#input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = matches(this.#entries, words);
    this.#list.replaceChildren(...found.map((entry, index) => this.#optionOf(entry, index)));
    this.#open(words.length > 0 && found.length > 0);
    this.#activate(0);
  }

  #optionOf({ title, page, place }, index) {
    const option = element(
      'li',
      { role: 'option', id: `found-${index}`, onclick: () => this.#follow(option) },
      element('span', { textContent: title }),
      element('small', { textContent: page }),
    );
    option.dataset.href = new URL(place, this.#source).href;
    return option;
  }

  #activate(index) {
    this.#active = index;
    for (const [at, option] of this.#options.entries())
      option.setAttribute('aria-selected', String(at === index));
    this.#input.setAttribute('aria-activedescendant', this.#options[index]?.id ?? '');
  }

  #follow(option) {
    this.#open(false);
    location.assign(option.dataset.href);
  }

  #press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const options = this.#options;
    if (event.key === 'Escape') this.#open(false);
    else if (step && options.length > 0)
      this.#activate((this.#active + step + options.length) % options.length);
    else if (event.key === 'Enter' && options[this.#active] && !this.#list.hidden)
      this.#follow(options[this.#active]);
    else return;
    event.preventDefault();
  }
}

/** Adds a search, which Ctrl K focuses. */
export function addSearch(place) {
  const search = new Search(place);
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    search.focus();
  });
}
