/**
 * What was typed into forms when the session ended or the person went to another page, for the next time that the same person opens the
 * form. Fields that were left as they were are not kept, since their values may have changed when the form is opened again. It is only in
 * the memory of the page, and dropped when another person signs in.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { session } from './caller.js';
import { path } from './router.js';

const drafts = new Map();
let owner;

/** Drops what another person has typed. */
function requireOwner() {
  const { userId } = session.peek();
  if (userId !== owner) drafts.clear();
  owner = userId;
}

const isKept = ({ name, type }) => name && type !== 'password' && type !== 'submit' && type !== 'button';

const read = (form) =>
  [...form.elements].filter(isKept).map(({ name, value, checked }) => ({ name, value, checked }));

function restore(form, draft) {
  for (const { name, value, checked } of draft) {
    const input = form.elements.namedItem(name);
    if (!input) continue;
    input.value = value;
    if (input.type === 'checkbox') input.checked = checked;
    // Notifies components that follow their input.
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/**
 * Keeps what is typed into a form if the session ends, or the path changes, while it is open.
 *
 * @param label of the button that opens the form, which identifies it on its page. Its title may change with the object.
 * @returns the reference of the form, the listener for its inputs, whether something is typed, and a function that drops it once it was
 *   sent.
 */
export function useDraft(label) {
  const form = useRef();
  /** The fields when the form was opened, as JSON. */
  const opened = useRef(new Set());
  const typed = useRef([]);
  const [place] = useState(() => path.peek());
  const key = `${place} ${label}`;
  const isTyped = () => typed.current.length > 0;
  // Before the form is shown, so that a person does not type into a field that changes then.
  useLayoutEffect(() => {
    requireOwner();
    opened.current = new Set(read(form.current).map((field) => JSON.stringify(field)));
    typed.current = drafts.get(key) ?? [];
    drafts.delete(key);
    restore(form.current, typed.current);
    return () => {
      const isLeft = session.peek() === null || path.peek() !== place;
      if (isTyped() && isLeft) drafts.set(key, typed.current);
    };
  }, []);
  const onInput = ({ currentTarget }) => {
    typed.current = read(currentTarget).filter((field) => !opened.current.has(JSON.stringify(field)));
  };
  const drop = () => {
    typed.current = [];
    drafts.delete(key);
  };
  return { form, onInput, isTyped, drop };
}
