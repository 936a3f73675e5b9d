/** Shows an invitation, and accepts it. */
import { handle, send, show, takeToken } from './account.js';
import './sign-in.js';

const token = encodeURIComponent(takeToken());
const accept = document.getElementById('accept');

async function showInvitation() {
  const response = token ? await fetch(`v1/auth/invitations/${token}`) : undefined;
  if (!response?.ok) return show(document.getElementById('none'));
  const invitation = await response.json();
  const shown = { ...invitation, inviter: invitation.inviter ?? 'An administrator' };
  for (const name of ['organisation', 'inviter', 'role', 'email']) {
    accept.querySelector(`[data-${name}]`).textContent = shown[name];
  }
  show(accept);
}

handle(accept, async ({ name, password }) => {
  const { email } = await send('PUT', `v1/auth/invitations/${token}`, { name, password });
  return `Welcome, ${name}. Sign in with ${email}.`;
});

await showInvitation();
