/** The components of pages. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { notice, notify, refusalOf } from './data.js';
import { useDraft } from './drafts.js';
import { fullTime, money, shortTime, words } from './format.js';
import { html } from './html.js';
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
export const Copy = ({ text, what = 'Text' }) => html`
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
  const heading = useRef();
  useEffect(() => {
    document.title = `${title} · Portico`;
  }, [title]);
  return html`
    <header class="page-head">
      ${back && html`<${Link} to=${back.to} class="back">${back.label}<//>`}
      <h1 ref=${heading} tabindex="-1">${title}</h1>
      <div class="actions">${children}${operation && html`<${CopyOperation} operation=${operation} />`}</div>
    </header>
  `;
}

/** The page of an object that could not be read, or that does not exist. @param kind the kind of the object, such as `Order`. */
export const Absent = ({ kind, id, back, error, again }) => html`
  <${PageHead} title="${kind} ${id}" back=${back} />
  ${error ? html`<${Problem} error=${error} again=${again} />` : html`<${Empty} title="There is no such ${kind.toLowerCase()}." />`}
`;

/** A button that opens a dialog. */
export const Opener = (props) => html`<button type="button" aria-haspopup="dialog" ...${props} />`;

/** A modal dialog. The browser keeps the focus in it, and closes it with Escape. It shows new notices, since the page behind it is inert. */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef();
  const former = useRef(notice.peek());
  const said = notice.value !== former.current && notice.value?.text;
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current.showModal();
    return () => before?.focus?.();
  }, []);
  return html`
    <dialog ref=${dialog} aria-labelledby=${id} onClose=${onClose}>
      <h2 id=${id}>${title}</h2>
      ${children}
      <p class="said" role="status">${said}</p>
    </dialog>
  `;
}

/** Returns a function that finds the label of an input of a form by its name. */
const labelsIn = (form, aliases) => (name) =>
  form.elements.namedItem(aliases[name] ?? name)?.labels?.[0]?.textContent;

/** Returns a function from the values of a form to an idempotency key: the same one for the same values. */
export function useKey() {
  const attempt = useRef({});
  return (values) => {
    const sent = JSON.stringify(values);
    if (attempt.current.sent !== sent) attempt.current = { sent, key: crypto.randomUUID() };
    return attempt.current.key;
  };
}

/**
 * A form in a dialog.
 *
 * @param submit receives the values by name, and an idempotency key: the same one for the same values, so that a retry after a lost
 *   response does nothing twice. The dialog closes if it returns something, such as the data of `useChange`, and stays open with the
 *   message of the failure otherwise.
 * @param aliases the names of fields whose inputs have another name in the API, by that name.
 */
export function FormDialog({ title, submit, action, onClose, isRunning, isDanger, aliases = {}, children }) {
  const [problem, setProblem] = useState();
  const keyOf = useKey();
  const draft = useDraft(title);
  const send = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = Object.fromEntries(new FormData(form));
    setProblem();
    if (await submit(values, keyOf(values))) return onClose();
    const { isProblem, text, error } = notice.value ?? {};
    if (!isProblem || !form.isConnected) return;
    // The message moves into the dialog, where it stays, and names the fields as the form does.
    notice.value = null;
    setProblem(error ? refusalOf(error, labelsIn(form, aliases)) : text);
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form onSubmit=${send} onInput=${draft.onInput} class="form" ref=${draft.form}>
        ${children}
        <p class="field-problem" role="alert">${problem}</p>
        <div class="buttons">
          <button type="submit" class=${isDanger ? 'danger' : 'primary'} disabled=${isRunning}>${action}</button>
          <button type="button" onClick=${onClose}>Cancel</button>
        </div>
      </form>
    <//>
  `;
}

/** Makes an input uncontrolled unless it has `onChange`, so that its text is kept when the form renders again after a refusal. */
const initial = ({ value, ...rest }) =>
  rest.onChange ? { value, ...rest } : { defaultValue: value, ...rest };

export const Field = ({ label, hint, children, ...input }) => {
  const id = useId();
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      ${children ? children(id) : html`<input id=${id} ...${initial(input)} />`}
      ${hint && html`<p class="hint">${hint}</p>`}
    </div>
  `;
};

/** A choice of a few values: `[value, label, isDisabled]`. */
export const Select = ({ label, value, options, onChange, name }) => {
  const id = useId();
  const [own, setOwn] = useState(value);
  const chosen = onChange ? value : own;
  return html`
    <div class="select">
      <label for=${id}>${label}</label>
      <select id=${id} name=${name} value=${chosen} onChange=${(event) => (onChange ?? setOwn)(event.currentTarget.value)}>
        ${options.map(([option, text, isDisabled]) => html`<option key=${option} value=${option} disabled=${isDisabled} selected=${option === chosen}>${text}</option>`)}
      </select>
    </div>
  `;
};

/** A button that asks for confirmation, which is about what was shown when it was asked for: later changes do not change `run`. */
export function Ask({ label, title, text, action, run, isDanger = true, isRunning }) {
  const [asked, setAsked] = useState();
  return html`
    <${Opener} onClick=${() => setAsked({ title, text, run })}>${label}<//>
    ${
      asked &&
      html`<${FormDialog} title=${asked.title} submit=${asked.run} action=${action} isDanger=${isDanger} isRunning=${isRunning}
        onClose=${() => setAsked()}><p>${asked.text}</p><//>`
    }
  `;
}

export const Json = ({ value }) =>
  html`<pre class="json" tabindex="0" aria-label="JSON"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
