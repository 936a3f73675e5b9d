/** Secrets that the server shows once. */
import { useState } from 'preact/hooks';
import { Ask, Dialog } from './dialogs.js';
import { html } from './html.js';
import { Copy } from './ui.js';

export const Secret = ({ title, secret, onClose }) => html`
  <${Dialog} title=${title} text="Store it now: it is shown only once." onClose=${onClose}>
    <p><${Copy} text=${secret} what="Secret" /></p>
    <div class="buttons"><button type="button" class="primary" onClick=${onClose}>Done</button></div>
  <//>
`;

/**
 * A button that asks whether to create another secret, and shows it.
 *
 * @param run receives an idempotency key, and returns the new secret; undefined after an error.
 * @param shown the title of the secret.
 */
export function NewSecret({ run, shown, ...question }) {
  const [secret, setSecret] = useState();
  const create = async (_, key) => {
    const created = await run(key);
    setSecret(created);
    return created;
  };
  return html`
    <${Ask} isDanger=${false} ...${question} run=${create} />
    ${secret && html`<${Secret} title=${shown} secret=${secret} onClose=${() => setSecret()} />`}
  `;
}
