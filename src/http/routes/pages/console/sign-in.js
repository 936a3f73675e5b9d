/** The page for people who are not signed in. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { signIn } from '../pages/session.js';
import { ending } from './caller.js';
import { EmailField, Field } from './fields.js';
import { html } from './html.js';
import { BASE } from './router.js';

const DEMO = [
  ['ada@acme.test', 'Ada, administrator'],
  ['ed@acme.test', 'Ed, editor'],
  ['vic@acme.test', 'Vic, viewer'],
];
const DEMO_PASSWORD = 'portico-demo';

/** @param offersDemo whether the server has the demo accounts. */
export function SignIn({ offersDemo }) {
  const [problem, setProblem] = useState('');
  const [isRunning, setRunning] = useState(false);
  const form = useRef();
  useEffect(() => {
    document.title = 'Sign in · Portico';
    form.current.querySelector('input').focus();
  }, []);
  const enter = async (email, password) => {
    setProblem('');
    setRunning(true);
    try {
      await signIn(email, password);
    } catch (error) {
      setProblem(error.message);
      setRunning(false);
    }
  };
  const submit = (event) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    void enter(values.get('email'), values.get('password'));
  };
  return html`
    <main class="sign-in-page">
      <form onSubmit=${submit} class="form" ref=${form}>
        <img src="${BASE}assets/pages/mark.svg" alt="" width="36" height="36" />
        <h1>Sign in to Portico</h1>
        <${EmailField} autocomplete="username" />
        <${Field} label="Password" name="password" type="password" autocomplete="current-password" required />
        <p class="field-problem" role="alert">${problem || ending.value}</p>
        <button type="submit" class="primary" disabled=${isRunning}>Sign in</button>
        ${
          offersDemo &&
          html`<div class="demo">
            <p>This server has demo data. Sign in as</p>
            ${DEMO.map(
              ([email, label]) =>
                html`<button type="button" key=${email} disabled=${isRunning} onClick=${() => enter(email, DEMO_PASSWORD)}>${label}</button>`,
            )}
          </div>`
        }
        <p class="elsewhere"><a href="${BASE}reset-password">Forgot your password?</a><a href=${BASE}>Overview</a><a href="${BASE}docs">Guides</a></p>
      </form>
    </main>
  `;
}
