/** The components of pages. */
import { useEffect, useRef } from 'preact/hooks';
import { fullTime, money, shortTime, words } from './format.js';
import { html } from './html.js';
import { notify } from './notices.js';
import { BASE, to } from './router.js';

/** The tone of a badge, by the states of all resources; none for a neutral one. */
const TONES = {
  succeeded: 'good',
  shipped: 'good',
  delivered: 'good',
  enabled: 'good',
  active: 'good',
  ok: 'good',
  failed: 'bad',
  disabled: 'bad',
  revoked: 'bad',
  error: 'bad',
  pending: 'open',
  new: 'open',
  confidential: 'open',
  partially_refunded: 'open',
};

export const Badge = ({ of }) => html`<span class="badge ${TONES[of] ?? ''}">${words(of)}</span>`;

export const Time = ({ at, full = false }) =>
  at
    ? html`<time datetime=${at} title=${fullTime(at)}>${full ? fullTime(at) : shortTime(at)}</time>`
    : html`<span class="soft">never</span>`;

export const Money = ({ value, currency }) => html`<span class="number">${money(value, currency)}</span>`;

/** A placeholder for text that is loading, of the same size. */
export const Skeleton = ({ lines = 1 }) =>
  html`<div class="skeletons" aria-hidden="true">
    ${Array.from({ length: lines }, (_, line) => html`<span class="skeleton" key=${line} />`)}
  </div>`;

export const Problem = ({ error, again }) => html`
  <div class="problem" role="alert">
    <p><strong>${error.code ? `${words(error.code)}. ` : ''}</strong>${error.message}</p>
    ${again && html`<button type="button" onClick=${again}>Try again</button>`}
  </div>
`;

/** The empty state of a page: what would be here, and how to add it. */
export const Empty = ({ title, children }) => html`
  <div class="empty"><h2>${title}</h2>${children}</div>
`;

export const Link = ({ to: page, ...rest }) => html`<a href=${to(page)} ...${rest} />`;

/** What is below the rows of a `useList`: an error, or a button to load more. */
export const More = ({ list: { error, isComplete, more, retry }, children }) =>
  error
    ? html`<${Problem} error=${error} again=${retry} />`
    : !isComplete && html`<button type="button" onClick=${more}>${children}</button>`;

/**
 * The rows of a `useList` as lines, with a button to load more.
 *
 * @param of the component of a row, which receives the row as `of`, and the list.
 * @param rows the rows of the list in another order.
 * @param empty the text for an empty list.
 */
export function Lines({ list, rows = list.rows, of: Line, empty, ...rest }) {
  const { isLoading, error, retry } = list;
  if (error && rows.length === 0) return html`<${Problem} error=${error} again=${retry} />`;
  if (isLoading) return html`<${Skeleton} lines=${2} />`;
  if (rows.length === 0) return html`<p class="soft">${empty}</p>`;
  return html`
    <ul class="lines">${rows.map((row) => html`<${Line} key=${row.id} of=${row} list=${list} ...${rest} />`)}</ul>
    <${More} list=${list}>More<//>
  `;
}

/** Facts in two columns: `[name, value]`. Facts without a value are omitted. */
export const Facts = ({ of }) => html`
  <dl class="facts">
    ${of
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>
`;

export const Section = ({ title, actions, children }) => html`
  <section class="section">
    <header><h2>${title}</h2>${actions}</header>
    ${children}
  </section>
`;

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied.`);
  } catch {
    notify('The browser does not allow this page to write to the clipboard.', true);
  }
}

/** A text to copy, such as an id or a secret. */
export const Copy = ({ text, what }) => html`
  <span class="copy">
    <code>${text}</code>
    <button type="button" class="quiet" onClick=${() => copy(text, what)} aria-label=${`Copy ${what}`}>Copy</button>
  </span>
`;

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the operation of a page as a curl command. The token is omitted, since commands are stored in shell histories. */
function curlOf({ document, variables }) {
  const body = JSON.stringify({ query: document.replaceAll(/\s+/g, ' ').trim(), variables });
  return [
    `curl ${quoted(new URL(`${BASE}graphql`, location.href).href)}`,
    `-H "authorization: Bearer $TOKEN"`,
    `-H 'content-type: application/json'`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ');
}

const graphqlOf = ({ document, variables }) =>
  Object.keys(variables).length > 0 ? `${document}\n\n# Variables\n# ${JSON.stringify(variables)}` : document;

/** A menu to copy the operation that a page shows. */
function CopyOperation({ operation }) {
  const menu = useRef();
  const take = (text, what) => {
    menu.current.open = false;
    menu.current.querySelector('summary').focus();
    void copy(text, what);
  };
  useEffect(() => {
    const close = ({ type, key, target }) => {
      const isOutside = type === 'keydown' ? key === 'Escape' : !menu.current?.contains(target);
      if (isOutside && menu.current) menu.current.open = false;
    };
    addEventListener('click', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('click', close);
      removeEventListener('keydown', close);
    };
  }, []);
  const { document, variables = {} } = operation;
  return html`
    <details class="menu" ref=${menu}>
      <summary class="quiet">Copy as…</summary>
      <div>
        <button type="button" onClick=${() => take(graphqlOf({ document, variables }), 'GraphQL')}>GraphQL</button>
        <button type="button" onClick=${() => take(curlOf({ document, variables }), 'curl command')}>curl</button>
      </div>
    </details>
  `;
}

/** The title and actions of a page. It also sets the title of the browser's tab. */
export function PageHead({ title, back, operation, children }) {
  useEffect(() => {
    document.title = `${title} · Portico`;
  }, [title]);
  return html`
    <header class="page-head">
      ${back && html`<${Link} to=${back.to} class="back">${back.label}<//>`}
      <h1 tabindex="-1">${title}</h1>
      <div class="actions">${children}${operation && html`<${CopyOperation} operation=${operation} />`}</div>
    </header>
  `;
}

export const Json = ({ value }) =>
  html`<pre class="json" tabindex="0" aria-label="JSON"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
