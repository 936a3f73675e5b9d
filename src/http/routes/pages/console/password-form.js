/** The form with which people change their own password. Problems are shown beside the fields that they are about. */
import { useState } from 'preact/hooks';
import { useKey } from './dialogs.js';
import { Field } from './fields.js';
import { sentence } from './format.js';
import { graph } from './graph.js';
import { html } from './html.js';
import { notify } from './notices.js';

const CHANGE = `mutation ChangePassword($userId: ID!, $currentPassword: String!, $newPassword: String!, $key: String!) {
  changePassword(userId: $userId, currentPassword: $currentPassword, newPassword: $newPassword, idempotencyKey: $key)
}`;

/** Returns the problems by field; those that are not about a field have the name `form`. */
const problemsOf = ({ message, details }) =>
  details.length === 0
    ? { form: message }
    : Object.fromEntries(
        details.map(({ path, message: reason }) => [path.split('.').at(-1), `${sentence(reason)}.`]),
      );

/** @param of the signed-in person: `{id, email}`. */
export function PasswordForm({ of: { id: userId, email } }) {
  const [problems, setProblems] = useState({});
  const [isRunning, setRunning] = useState(false);
  const keyOf = useKey();
  const submit = async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    setRunning(true);
    setProblems({});
    try {
      const values = Object.fromEntries(new FormData(form));
      await graph(CHANGE, { userId, ...values, key: keyOf(values) });
      form.reset();
      notify('Your password was changed, and your other sessions ended.');
    } catch (problem) {
      const found = problemsOf(problem);
      setProblems(found);
      form.querySelector(`[name=${Object.keys(found)[0]}]`)?.focus();
    }
    setRunning(false);
  };
  return html`
    <form onSubmit=${submit} class="form password-form">
      <input type="email" autocomplete="username" value=${email} readonly hidden />
      <${Password} label="Current password" name="currentPassword" autocomplete="current-password" problem=${problems.currentPassword} />
      <${Password} label="New password" name="newPassword" autocomplete="new-password" minlength="8" problem=${problems.newPassword}
        hint="At least 8 characters, without your name or address." />
      <p class="hint">A new password ends your other sessions, also those of browsers in which you signed in for an app.</p>
      <p class="field-problem" role="alert">${problems.form}</p>
      <div class="buttons"><button type="submit" disabled=${isRunning}>Change password</button></div>
    </form>
  `;
}

const Password = ({ label, hint, problem, ...input }) => html`
  <${Field} label=${label}>
    ${(id) => html`
      <input id=${id} type="password" required aria-invalid=${Boolean(problem)} aria-describedby="${id}-hint ${id}-problem" ...${input} />
      <p class="hint" id="${id}-hint">${hint}</p>
      <p class="field-problem" id="${id}-problem" role="alert">${problem}</p>`}
  <//>
`;
