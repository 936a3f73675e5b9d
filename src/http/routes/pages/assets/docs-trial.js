/** A form to try a route as the signed-in person. */
import { element, handleSubmit } from './element.js';
import { textOf } from './http.js';
import { fetchSignedIn } from './session.js';

/** The URL of the server, without a trailing slash. */
const BASE = new URL('../../', import.meta.url).href.replace(/\/$/, '');

/** Maximum number of lines that the field of a body shows at once. */
const MAX_ROWS = 16;

const fieldOf = (input, label) =>
  element('div', { className: 'field' }, element('label', { htmlFor: input.id, textContent: label }), input);

function parameterField({ name, place, required, example }, index, id) {
  const value = required ? (example ?? '') : '';
  const input = element('input', { id: `${id}-${index}`, name: String(index), required, value });
  return fieldOf(input, `${name} (${place})`);
}

function bodyField(value, id) {
  const rows = Math.min(MAX_ROWS, value.split('\n').length);
  const area = element('textarea', { id: `${id}-body`, name: 'body', rows, value, spellcheck: false });
  return fieldOf(area, 'Body');
}

/** Returns the URL and the options of the request that a form describes. */
function requestOf({ method, path, fields, body }, values) {
  const hasBody = body !== undefined;
  const query = new URLSearchParams();
  const headers = new Headers(hasBody ? { 'content-type': 'application/json' } : {});
  let target = path;
  for (const [index, { name, place }] of fields.entries()) {
    const value = values.get(String(index));
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (value && place === 'query') query.append(name, value);
    else if (value) headers.set(name, value);
  }
  const url = `${BASE}${target}${query.size > 0 ? `?${query}` : ''}`;
  return { url, options: { method, headers, body: hasBody ? values.get('body') : undefined } };
}

/** Sends a request, and returns elements that show its response. */
async function shownResponse({ url, options }) {
  const began = performance.now();
  const { response, text } = await textOf(fetchSignedIn(url, options));
  const took = Math.round(performance.now() - began);
  return [
    element('p', { textContent: `${response.status} ${response.statusText}, ${took} ms` }),
    element('pre', { tabIndex: 0 }, element('code', { textContent: pretty(text) })),
  ];
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Adds a form that sends a request. @param place has the description of the route in `data-try`. */
export function addTrial(place, id) {
  const route = JSON.parse(place.dataset.try);
  const { fields, body } = route;
  const result = element('div', { className: 'result', role: 'status' });
  const form = element(
    'form',
    {},
    element('h3', { textContent: 'Try it' }),
    ...fields.map((field, index) => parameterField(field, index, id)),
    ...(body === undefined ? [] : [bodyField(JSON.stringify(body, null, 2), id)]),
    element('button', { type: 'submit', textContent: 'Send' }),
    result,
  );
  handleSubmit(form, result, async () =>
    result.replaceChildren(...(await shownResponse(requestOf(route, new FormData(form))))),
  );
  place.append(form);
}
