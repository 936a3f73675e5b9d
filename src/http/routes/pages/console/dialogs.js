/** Dialogs: forms, and questions to confirm. */
import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useDraft } from './drafts.js';
import { html } from './html.js';
import { notice, refusalOf } from './notices.js';
import { go, path } from './router.js';
import { Copy } from './ui.js';

/** A function that opens a dialog: a component, its properties besides `onClose`, and the path that it belongs to; by default none. */
const Opening = createContext();

let lastKey = 0;

/**
 * The page of the present path with its dialogs. These stay when the component that opened them is removed, such as the row of an object
 * that another person has deleted. Those that belong to a path are closed when it changes.
 */
export function WithDialogs({ children }) {
  const [opened, setOpened] = useState([]);
  const here = path.value;
  const open = useCallback(
    (of, props, place) => setOpened((others) => [...others, { key: ++lastKey, place, of, props }]),
    [],
  );
  const close = (closed) => setOpened((all) => all.filter(({ key }) => key !== closed));
  const isHere = ({ place = here }) => place === here;
  useEffect(() => setOpened((all) => all.filter(isHere)), [here]);
  return html`
    <${Opening.Provider} value=${open}>
      ${children}
      ${opened
        .filter(isHere)
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
 * Returns the properties of a dialog that is modal as long as it is rendered.
 *
 * @param onClose called when the person closes it.
 */
export function useModal(onClose) {
  const dialog = useRef();
  // A layout effect opens it before the next key event, and closes it before it is removed: the browser then moves the focus back.
  useLayoutEffect(() => {
    const { current } = dialog;
    current.showModal();
    return () => current.close();
  }, []);
  // The event of closing is later than the removal.
  return { ref: dialog, onClose: () => dialog.current && onClose() };
}

/**
 * A modal dialog. The browser keeps the focus in it, and closes it with Escape. It shows new notices, since the page behind it is inert.
 *
 * @param text what screen readers read with the title when it is opened; none if the title says enough.
 */
export function Dialog({ title, text, onClose, children }) {
  const modal = useModal(onClose);
  const former = useRef(notice.peek());
  const said = notice.value !== former.current && notice.value?.text;
  const id = useId();
  return html`
    <dialog ...${modal} aria-labelledby=${id} aria-describedby=${text && `${id}-text`}>
      <h2 id=${id}>${title}</h2>
      ${text && html`<p id="${id}-text">${text}</p>`}
      ${children}
      <p class="said" role="status">${said}</p>
    </dialog>
  `;
}

/** Has the browser ask before it leaves the console. @param wouldLose whether something would be lost. */
function useQuestion(wouldLose) {
  useEffect(() => {
    const ask = (event) => wouldLose() && event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
}

/** A secret that the server shows only once. It stays until the person closes it, also on other pages. */
function Secret({ title, secret, onClose }) {
  useQuestion(() => true);
  return html`
    <${Dialog} title=${title} text="Store it now: it is shown only once." onClose=${onClose}>
      <p><${Copy} text=${secret} what="Secret" /></p>
      <div class="buttons"><button type="button" class="primary" onClick=${onClose}>Done</button></div>
    <//>
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
  useQuestion(draft.isTyped);
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
    if (done) draft.drop();
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
    isOffered &&
    html`<${Opener} class=${look} onClick=${() => open(FormDialog, form, path.peek())}>${form.label}<//>`
  );
}

/** A button that asks for confirmation. @param text what will happen. */
export const Ask = ({ run, isDanger = true, ...form }) =>
  html`<${FormOpener} submit=${run} isDanger=${isDanger} ...${form} />`;
