/** Sets a password with the token of a link from a mail; without one, requests such a mail. */
import { handle, send, show, tokenOfLink } from './account.js';
import './sign-in.js';

const token = tokenOfLink();
const request = document.getElementById('request');
const set = document.getElementById('set');

handle(request, async ({ email }) => {
  await send('POST', 'v1/auth/password-resets', { email });
  return `If ${email} has an account, a link is on its way.`;
});
handle(set, async ({ password }) => {
  await send('PUT', `v1/auth/password-resets/${encodeURIComponent(token)}`, { password });
  return 'Your password is set. Sign in with it.';
});

show(token ? set : request);
