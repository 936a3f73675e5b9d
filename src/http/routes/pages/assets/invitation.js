/** Shows an invitation, and accepts it. */
import { handle, send, show, tokenOfLink } from './account.js';
import { resultOf } from './http.js';
import './sign-in.js';

const token = encodeURIComponent(tokenOfLink());
const accept = document.getElementById('accept');

const failed = document.getElementById('failed');

async function showInvitation() {
  if (!token) return show(document.getElementById('none'));
  const invitation = await resultOf(fetch(`v1/auth/invitations/${token}`));
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

/** Only the server can say that the link is invalid. Any other failure says nothing about it, so it can be tried again. */
async function tryToShow() {
  failed.hidden = true;
  try {
    await showInvitation();
  } catch (error) {
    if (error.code === 'not_found') return show(document.getElementById('none'));
    failed.querySelector('.problem').textContent = error.message;
    show(failed);
  }
}

failed.querySelector('button').addEventListener('click', tryToShow);
await tryToShow();
