/** Functions shared by the pages behind links in mail. */
import { handleSubmit } from './element.js';
import { resultOf, withJson } from './http.js';
import './theme.js';

/**
 * Reads the token of the link from the fragment, which is never sent, and removes it from the URL, so that it does not stay in
 * the history.
 */
export function takeToken() {
  const token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** Sends JSON. @throws RequestError */
export const send = (method, path, body) => resultOf(fetch(path, withJson(method, body)));

/** Shows a section, and focuses its first field. */
export function show(section) {
  section.hidden = false;
  section.querySelector('input')?.focus();
}

/**
 * Makes a form submit its values, one submission at a time.
 *
 * @param submit receives the values of the fields by name, and returns the text to show instead of the form.
 */
export function handle(section, submit) {
  const form = section.querySelector('form');
  const problem = form.querySelector('.problem');
  handleSubmit(form, problem, async () => {
    problem.textContent = '';
    const said = await submit(Object.fromEntries(new FormData(form)));
    section.hidden = true;
    const done = document.getElementById('done');
    done.textContent = said;
    done.focus();
  });
}
