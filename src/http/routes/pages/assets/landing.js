/** The live feed of the landing page: the newest events, and then each new one. */
import { element } from './element.js';
import { follow } from './follow.js';
import { resultOf, withJson } from './http.js';
import { fetchSignedIn, onSession } from './session.js';
import './sign-in.js';
import './theme.js';

const MAX_LINES = 12;
const list = document.getElementById('feed');
const state = document.getElementById('feed-state');
const hint = document.getElementById('feed-hint');
const actions = document.getElementById('feed-actions');
const answer = document.getElementById('place-answer');
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

function lineOf({ id, type, subject, actor_id, created_at }) {
  const when = new Date(created_at);
  const isToday = when.toDateString() === new Date().toDateString();
  const [kind, what] = type.replaceAll('_', ' ').split('.');
  const actor = element('span');
  const line = element(
    'li',
    {},
    element('strong', { textContent: `${kind} ${subject.id} ${what}` }),
    actor,
    element('time', { textContent: (isToday ? time : day).format(when), dateTime: created_at }),
  );
  line.dataset.id = String(id);
  void nameOf(actor_id).then((name) => {
    actor.textContent = name;
  });
  return line;
}

const names = new Map();

/** Returns the name of the actor, which is requested once per person. */
async function nameOf(id) {
  if (id === null) return 'the server';
  const asked =
    names.get(id) ??
    resultOf(fetchSignedIn(`v1/users/${id}`)).then(
      ({ name }) => name,
      () => `person ${id}`,
    );
  names.set(id, asked);
  return asked;
}

/** Inserts lines in the order of their ids, without duplicates: past events and the stream overlap, so that none is missed. */
function show(items, isNew) {
  for (const item of items) {
    const lines = [...list.children];
    if (lines.some((line) => Number(line.dataset.id) === item.id)) continue;
    const line = lineOf(item);
    if (isNew) line.classList.add('new');
    list.insertBefore(line, lines.find((each) => Number(each.dataset.id) < item.id) ?? null);
  }
  while (list.children.length > MAX_LINES) list.lastChild.remove();
}

function showState(name, text, reason = '') {
  state.dataset.state = name;
  state.title = reason;
  state.textContent = text;
}

let stop;
let session;

onSession((present) => {
  if (present?.userId === session?.userId && stop) return;
  session = present;
  stop?.();
  stop = undefined;
  list.replaceChildren();
  hint.hidden = session !== null;
  actions.hidden = session === null || session.role === 'viewer';
  answer.textContent = '';
  if (!session) {
    showState('idle', 'Sign in to see events');
    return;
  }
  showState('waiting', 'Connecting');
  stop = follow({
    onPast: (items) => show(items, false),
    onItem: (item) => show([item], true),
    onState: (isLive, reason) =>
      showState(isLive ? 'live' : 'waiting', isLive ? 'Live' : 'Reconnecting', reason),
  });
});

const placing = document.getElementById('place-order');
placing.addEventListener('click', async () => {
  const product = 1 + Math.floor(Math.random() * 10);
  const order = withJson('POST', { items: [{ product_id: product, qty: 1 }] });
  placing.disabled = true;
  answer.textContent = await resultOf(fetchSignedIn(`v1/users/${session.userId}/orders`, order)).then(
    ({ id, items, total, currency }) => `Order ${id}: ${items[0].name}, ${total} ${currency}`,
    ({ message }) => message,
  );
  placing.disabled = false;
});
