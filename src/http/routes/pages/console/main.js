/** The console: renders the page at the current URL for the signed-in person. */
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import './theme.js';
import { may, session } from './caller.js';
import { html } from './html.js';
import { pageAt } from './pages.js';
import { Palette, watchKeys } from './palette.js';
import { path } from './router.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';
import { Empty, Link, PageHead } from './ui.js';

const Missing = () => html`
  <${PageHead} title="Not found" />
  <${Empty} title="There is no such page."><p><${Link} to="">Go to the overview<//></p><//>
`;

const Refused = ({ scope }) => html`
  <${PageHead} title="Not allowed" />
  <${Empty} title="Your role does not give access to this page.">
    <p>It needs the scope <code>${scope}</code>. An administrator of your organisation can change your role.</p>
  <//>
`;

function Page() {
  const found = pageAt(path.value);
  useFocus(path.value);
  if (!found) return html`<${Missing} />`;
  const { page, id } = found;
  if (page.scope && !may(page.scope)) return html`<${Refused} scope=${page.scope} />`;
  return id === undefined
    ? html`<${page.all} key=${page.path} />`
    : html`<${page.one} key=${path.value} id=${id} />`;
}

let known;

/** Focuses the title after a change of page, so that screen readers announce it and Tab continues from there. */
function useFocus(current) {
  useEffect(() => {
    if (known !== undefined && known !== current)
      document.querySelector('main h1')?.focus({ preventScroll: true });
    known = current;
  }, [current]);
}

/**
 * Focuses the title after the focused element was removed, such as a row with its button, or the opener of a dialog. Otherwise Tab
 * continues from the beginning of the page. A button that was disabled while its change ran gets the focus back.
 */
function keepFocus(root) {
  let last;
  root.addEventListener('focusin', ({ target }) => {
    last = target;
  });
  root.addEventListener('pointerdown', ({ target }) => {
    if (!last?.contains(target)) last = undefined;
  });
  /** Somebody who goes on without the focus, such as by scrolling, does not expect it to be back on a button later. */
  const leave = () => {
    if (document.activeElement === document.body) last = undefined;
  };
  addEventListener('keydown', leave, { capture: true });
  addEventListener('wheel', leave, { passive: true });
  const isEnabledAgain = ({ attributeName, target }) => attributeName && target === last && !target.disabled;
  new MutationObserver((records) => {
    if (!last || (last.isConnected && !records.some(isEnabledAgain))) return;
    const next = last.isConnected ? last : document.querySelector('main h1');
    if (!last.isConnected) last = undefined;
    if (document.activeElement === document.body) next?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function Console({ offersDemo }) {
  if (session.value === undefined) return null;
  if (session.value === null) return html`<${SignIn} offersDemo=${offersDemo} />`;
  // Another person can sign in from another tab: nothing of the former one stays, such as rows and open forms.
  const { userId } = session.value;
  return html`<${Shell} key=${userId}><${Page} /><//><${Palette} key="palette ${userId}" />`;
}

watchKeys();
const root = document.getElementById('console');
keepFocus(root);
root.replaceChildren();
render(html`<${Console} offersDemo=${'demo' in root.dataset} />`, root);
