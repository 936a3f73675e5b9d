/** The inputs of forms and filters, with their labels. */
import { useId, useState } from 'preact/hooks';
import { html } from './html.js';

/** The last day that the server accepts. With it as `max`, browsers accept years of four digits only. */
export const LAST_DAY = '9999-12-31';

/**
 * A field of a form. It is uncontrolled, so that its text is kept when the form renders again after a refusal.
 *
 * @param children returns another element than an input, from its id and that of the hint.
 */
export const Field = ({ label, hint, value, children, ...input }) => {
  const id = useId();
  const hintId = hint && `${id}-hint`;
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      ${children ? children(id, hintId) : html`<input id=${id} aria-describedby=${hintId} defaultValue=${value} ...${input} />`}
      ${hint && html`<p class="hint" id=${hintId}>${hint}</p>`}
    </div>
  `;
};

/** A filter. A text that is still being typed is kept when the page renders again, such as after an event. */
export function FilterField({ label, value, onChange, ...input }) {
  const [draft, setDraft] = useState();
  const edit = ({ currentTarget }) => setDraft(currentTarget.value);
  const apply = ({ currentTarget }) => {
    setDraft(undefined);
    onChange(currentTarget.value);
  };
  return html`
    <${Field} label=${label}>
      ${(id) => html`<input id=${id} value=${draft ?? value} onInput=${edit} onChange=${apply} ...${input} />`}
    <//>
  `;
}

/** An email address. Not an input of type `email`, in which browsers refuse letters beyond ASCII before the @. */
export const EmailField = (input) =>
  html`<${Field} label="Email" name="email" type="text" inputmode="email" autocapitalize="none" spellcheck="false" required maxlength="254" ...${input} />`;

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
