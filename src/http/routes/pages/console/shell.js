/** The frame of all pages: the navigation, the account, and the state of the connection. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { signOut } from '../pages/session.js';
import { session } from './caller.js';
import { WithDialogs } from './dialogs.js';
import { html } from './html.js';
import { connection } from './live.js';
import { notice } from './notices.js';
import { pages } from './pages.js';
import { openPalette } from './palette.js';
import { BASE, path, to } from './router.js';
import { nextTheme, theme } from './theme.js';

const isMenuOpen = signal(false);

const CONNECTIONS = { live: 'Live', connecting: 'Connecting…', off: 'Not live' };

const isCurrent = (page) =>
  page.path === '' ? path.value === '' : path.value.split('/')[1] === page.path.slice(1);

const Navigation = () => html`
  <nav aria-label="Console">
    <ul>
      ${pages.value
        .filter(({ isOwn }) => !isOwn)
        .map(
          (page) => html`<li key=${page.path}>
          <a href=${to(page.path)} aria-current=${isCurrent(page) ? 'page' : undefined}>${page.title}</a>
        </li>`,
        )}
    </ul>
    <ul class="elsewhere">
      <li><a href="${BASE}docs">Guides</a></li>
      <li><a href="${BASE}graphql">GraphiQL</a></li>
    </ul>
  </nav>
`;

const Account = () => html`
  <div class="account">
    <p class="connection" data-state=${connection.value} role="status">${CONNECTIONS[connection.value]}</p>
    <p class="who" title=${session.value.email}><a href=${to('/account')} aria-current=${path.value === '/account' ? 'page' : undefined}><span class="hidden">Account of </span><strong>${session.value.email}</strong></a><span>${session.value.role} of ${session.value.org}</span></p>
    <div class="account-actions">
      <button type="button" class="quiet" onClick=${nextTheme}>Theme: ${theme.value}</button>
      <button type="button" class="quiet" onClick=${signOut}>Sign out</button>
    </div>
  </div>
`;

const Notice = () => html`
  <div class="notices" role="status" aria-live="polite">
    ${notice.value && html`<p class=${notice.value.isProblem ? 'notice bad' : 'notice'}>${notice.value.text}</p>`}
  </div>
`;

export function Shell({ children }) {
  useEffect(() => {
    isMenuOpen.value = false;
  }, [path.value]);
  const button = useRef();
  const closeMenu = ({ key }) => {
    if (key !== 'Escape' || !isMenuOpen.value) return;
    isMenuOpen.value = false;
    button.current.focus();
  };
  return html`
    <a class="skip" href="#content">Skip to the content</a>
    <header class="side" data-open=${isMenuOpen.value} onKeyDown=${closeMenu}>
      <div class="side-head">
        <a class="mark" href=${to('')}><img src="${BASE}assets/pages/mark.svg" alt="" width="22" height="22" />Portico</a>
        <button type="button" class="search" onClick=${openPalette} aria-keyshortcuts="Control+K">
          <span>Search</span><kbd>Ctrl K</kbd>
        </button>
        <button type="button" class="menu-button" ref=${button} aria-expanded=${isMenuOpen.value} aria-controls="side-body"
          onClick=${() => {
            isMenuOpen.value = !isMenuOpen.value;
          }}>Menu</button>
      </div>
      <div class="side-body" id="side-body"><${Navigation} /><${Account} /></div>
    </header>
    <main id="content" tabindex="-1"><${WithDialogs}>${children}<//></main>
    <${Notice} />
  `;
}
