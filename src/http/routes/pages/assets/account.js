/** Functions shared by the pages behind links in mail. */
import { handleSubmit } from './element.js';
import { resultOf, withJson } from './http.js';
import './theme.js';

/** Sets the token that a reload finds, and removes the fragment from the URL, so that no history of the browser shows a token. */
const keep = (token) => history.replaceState({ token }, '', location.pathname + location.search);

const linkToken = () => (location.hash.startsWith('#plt_') ? location.hash.slice(1) : undefined);

let token = linkToken() ?? history.state?.token ?? '';
keep(token);

/** Returns the token of the link, from the fragment, which is never sent; an empty text for none. */
export const tokenOfLink = () => token;

addEventListener('hashchange', () => {
  // Another link was opened in this tab, or the same one again.
  if (linkToken()) location.reload();
  else keep(token);
});

/** Sends JSON. @throws RequestError */
export const send = (method, path, body) => resultOf(fetch(path, withJson(method, body)));

/** Shows a section, and focuses its first field, unless the person has begun with another form until it was known. */
export function show(section) {
  section.hidden = false;
  if (!document.activeElement?.closest('form')) section.querySelector('input')?.focus();
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
    token = '';
    keep(token);
    const done = document.getElementById('done');
    done.textContent = said;
    done.focus();
  });
}
