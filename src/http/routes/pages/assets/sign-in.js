/** The part of each page's header where people sign in and out. */
import { element, handleSubmit } from './element.js';
import { onSession, signIn, signOut } from './session.js';

/** The path of the server, with a trailing slash. */
const BASE = new URL('../../', import.meta.url).pathname;

const DEMO = { email: 'ada@acme.test', password: 'portico-demo' };

function field(label, properties) {
  return element('label', {}, label, element('input', { required: true, ...properties }));
}

/** @param offersDemo whether the server has the demo account. */
function form(offersDemo) {
  const email = field('Email', {
    name: 'email',
    inputMode: 'email',
    autocapitalize: 'none',
    spellcheck: false,
    autocomplete: 'username',
  });
  const password = field('Password', {
    type: 'password',
    name: 'password',
    autocomplete: 'current-password',
  });
  const problem = element('p', { className: 'problem', role: 'alert' });
  const demo = element('button', {
    type: 'button',
    className: 'quiet',
    textContent: 'Fill in the demo account',
  });
  const made = element(
    'form',
    {},
    email,
    password,
    element('button', { type: 'submit', textContent: 'Sign in' }),
    ...(offersDemo ? [demo] : []),
    element('a', { href: `${BASE}reset-password`, textContent: 'Forgot your password?' }),
    element('p', { className: 'problem ending', role: 'alert' }),
    problem,
  );
  demo.addEventListener('click', () => {
    for (const [name, value] of Object.entries(DEMO)) made.elements.namedItem(name).value = value;
  });
  handleSubmit(made, problem, async () => {
    problem.textContent = '';
    await signIn(made.elements.namedItem('email').value, made.elements.namedItem('password').value);
  });
  return made;
}

function signedOut(offersDemo) {
  const details = element(
    'details',
    { className: 'sign-in' },
    element('summary', { textContent: 'Sign in' }),
    form(offersDemo),
  );
  details.addEventListener('toggle', () => {
    if (details.open) details.querySelector('input').focus();
  });
  return details;
}

function signedIn({ email, role, org }) {
  const leave = element('button', { type: 'button', className: 'quiet', textContent: 'Sign out' });
  leave.addEventListener('click', () => signOut());
  return element(
    'p',
    { className: 'who' },
    element('span', { textContent: email }),
    element('small', { textContent: `${role} of ${org}` }),
    leave,
  );
}

for (const place of document.querySelectorAll('[data-sign-in]')) {
  let shown;
  onSession((session, reason) => {
    const person = session && `${session.email} ${session.role} ${session.org}`;
    // A renewed token, or another reason, replaces neither what was typed nor the element with the focus.
    if (person !== shown)
      place.replaceChildren(session ? signedIn(session) : signedOut('demo' in place.dataset));
    shown = person;
    if (!session) place.querySelector('.ending').textContent = reason;
  });
}
