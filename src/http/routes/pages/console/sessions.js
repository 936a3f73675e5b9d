/** The sessions of a person, and signing out everywhere. */
import { useChange } from './data.js';
import { Ask } from './dialogs.js';
import { graph } from './graph.js';
import { html } from './html.js';
import { useList } from './list.js';
import { notify } from './notices.js';
import { isAdministrator, isSelf } from './roles.js';
import { Lines, Section, Time } from './ui.js';

const LIST = `query Sessions($userId: ID!, $first: Int, $after: String) {
  sessions(userId: $userId, first: $first, after: $after) {
    nodes { id address current scopes createdAt lastUsedAt expiresAt }
    endCursor hasNextPage
  }
}`;

const END = 'mutation EndSession($id: ID!) { endSession(id: $id) }';

/** Sorts sessions: this page's own first, then by last use. */
const inOrder = (rows) =>
  rows.toSorted((one, other) => other.current - one.current || usedAt(other).localeCompare(usedAt(one)));

const usedAt = ({ lastUsedAt, createdAt }) => lastUsedAt ?? createdAt;

/** Whether the caller may see and end the sessions of a person. */
export const mayEndSessionsOf = (id) => isSelf(id) || isAdministrator();

/** Ends all sessions of a person except the session of this page. @throws RequestError */
async function endAll(userId) {
  let after = null;
  do {
    const { nodes, endCursor, hasNextPage } = (await graph(LIST, { userId, first: 100, after })).sessions;
    for (const { id, current } of nodes) if (!current) await graph(END, { id });
    after = hasNextPage ? endCursor : null;
  } while (after);
}

export function Sessions({ userId, name }) {
  const list = useList(LIST, { userId }, (data) => data.sessions, { on: ['session', 'user'] });
  const { rows, isComplete, again, drop } = list;
  const isOwn = isSelf(userId);
  const hasOthers = rows.some(({ current }) => !current) || !isComplete;
  const signOut = async () => {
    let isDone = true;
    try {
      await endAll(userId);
      notify(isOwn ? 'All other sessions were ended.' : `${name} is signed out everywhere.`);
      for (const { id, current } of rows) if (!current) drop(id);
    } catch (problem) {
      notify(problem.message, true);
      isDone = false;
    }
    again();
    return isDone;
  };
  const label = isOwn ? 'Sign out everywhere else' : 'Sign out everywhere';
  const actions =
    hasOthers &&
    html`<${Ask} label=${label} title=${isOwn ? `${label}?` : `Sign ${name} out everywhere?`} action="Sign out" run=${signOut}
      text="These sessions end at once, and a new sign-in is needed to continue. API keys stay valid." />`;
  return html`
    <${Section} title="Sessions" actions=${actions}>
      <${Lines} list=${list} rows=${inOrder(rows)} of=${Line} empty="Not signed in anywhere." />
    <//>
  `;
}

function Line({ of: one, list }) {
  const { id, address, current, createdAt } = one;
  const isBrowser = one.scopes.length === 0;
  const [end, isRunning] = useChange(END, 'The session was ended.', list.afterRemoval(id));
  return html`
    <li>
      <span>${address ?? 'Unknown address'}${current && html` <span class="badge good">this session</span>`}${isBrowser && html` <span class="badge">browser</span>`}</span>
      <span class="soft">signed in <${Time} at=${createdAt} /></span>
      <span class="soft">used <${Time} at=${usedAt(one)} /></span>
      ${!current && html`<button type="button" class="quiet" disabled=${isRunning} onClick=${() => end({ id })}>End<span class="hidden"> session ${id}</span></button>`}
    </li>
  `;
}
