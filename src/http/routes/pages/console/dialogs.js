/** Dialogs: forms, and questions to confirm. */
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { useDraft } from './drafts.js';
import { html } from './html.js';
import { notice, refusalOf } from './notices.js';
import { go, path } from './router.js';
import { Copy } from './ui.js';

/** A function that opens a dialog: a component, and its properties besides `onClose`. */
const Opening = createContext();

let lastKey = 0;

/**
 * The page of the present path with its dialogs. These stay when the component that opened them is removed, such as the row of an object
 * that another person has deleted, and are closed when the path changes.
 */
export function WithDialogs({ children }) {
  const [opened, setOpened] = useState([]);
  const here = path.value;
  const open = useCallback(
    (of, props) => setOpened((others) => [...others, { key: ++lastKey, place: path.peek(), of, props }]),
    [],
  );
  const close = (closed) => setOpened((all) => all.filter(({ key }) => key !== closed));
  useEffect(() => setOpened((all) => all.filter(({ place }) => place === here)), [here]);
  return html`
    <${Opening.Provider} value=${open}>
      ${children}
      ${opened
        .filter(({ place }) => place === here)
        .map(
          ({ key, of: Opened, props }) =>
            html`<${Opened} key=${key} ...${props} onClose=${() => close(key)} />`,
        )}
    <//>
  `;
}

/** A button that opens a dialog. */
const Opener = (props) => html`<button type="button" aria-haspopup="dialog" ...${props} />`;

/**
 * A modal dialog. The browser keeps the focus in it, and closes it with Escape. It shows new notices, since the page behind it is inert.
 *
 * @param text what screen readers read with the title when it is opened; none if the title says enough.
 */
export function Dialog({ title, text, onClose, children }) {
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
    <dialog ref=${dialog} aria-labelledby=${id} aria-describedby=${text && `${id}-text`} onClose=${onClose}>
      <h2 id=${id}>${title}</h2>
      ${text && html`<p id="${id}-text">${text}</p>`}
      ${children}
      <p class="said" role="status">${said}</p>
    </dialog>
  `;
}

/** A secret that the server shows only once. */
const Secret = ({ title, secret, onClose }) => html`
  <${Dialog} title=${title} text="Store it now: it is shown only once." onClose=${onClose}>
    <p><${Copy} text=${secret} what="Secret" /></p>
    <div class="buttons"><button type="button" class="primary" onClick=${onClose}>Done</button></div>
  <//>
`;

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
 * A form in a dialog. It is sent once at a time.
 *
 * @param submit receives the values by name, and an idempotency key: the same one for the same values, so that a retry after a lost
 *   response does nothing twice. The dialog closes if it returns something, such as the data of `useChange`, and stays open with the
 *   message of the failure otherwise.
 * @param secretOf returns the secret to show then, from what `submit` returned: `{title, secret}`. It is shown wherever the person is.
 * @param next returns the page to open then, from what `submit` returned. A person who has closed the dialog before is somewhere else.
 * @param aliases the names of fields whose inputs have another name in the API, by that name.
 */
function FormDialog({
  label,
  title,
  text,
  submit,
  secretOf,
  next,
  action,
  onClose,
  isDanger,
  aliases = {},
  children,
}) {
  const open = useContext(Opening);
  const [problem, setProblem] = useState();
  const [isRunning, setRunning] = useState(false);
  const keyOf = useKey();
  const draft = useDraft(label);
  const send = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const values = Object.fromEntries(new FormData(form));
    setProblem();
    setRunning(true);
    let done;
    try {
      done = await submit(values, keyOf(values));
    } finally {
      setRunning(false);
    }
    const shown = done && secretOf?.(done);
    if (shown?.secret) open(Secret, shown);
    if (!form.isConnected) return;
    if (done) {
      onClose();
      const page = next?.(done);
      if (page) go(page);
      return;
    }
    const { isProblem, text: message, error } = notice.value ?? {};
    if (!isProblem) return;
    // The message moves into the dialog, where it stays, and names the fields as the form does.
    notice.value = null;
    setProblem(error ? refusalOf(error, labelsIn(form, aliases)) : message);
  };
  return html`
    <${Dialog} title=${title} text=${text} onClose=${onClose}>
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

/**
 * A button, and the form that it opens. The form is about what was shown when it was opened: it replaces no later change. It stays open
 * without the button, and says why the server refuses it.
 *
 * @param isOffered whether there is the button.
 */
export function FormOpener({ class: look, isOffered = true, ...form }) {
  const open = useContext(Opening);
  return (
    isOffered && html`<${Opener} class=${look} onClick=${() => open(FormDialog, form)}>${form.label}<//>`
  );
}

/** A button that asks for confirmation. @param text what will happen. */
export const Ask = ({ run, isDanger = true, ...form }) =>
  html`<${FormOpener} submit=${run} isDanger=${isDanger} ...${form} />`;
