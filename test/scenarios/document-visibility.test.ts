/** Visibility of documents: one rule, tested in every place where it must hold. */
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import type { Sender } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { ED, shareDocument, unshareDocument, VIC, writeDocument } from '../support/fixtures/documents.ts';
import type { Document } from '../support/response-bodies.ts';
import { DOORS } from './document-doors.ts';

/** The places where one caller sees a document. */
interface Sight {
  readonly read: string;
  readonly listed: boolean;
  readonly filtered: boolean;
  /** Whether it is among the documents of its author. */
  readonly nested: boolean;
  /** The event types in its history, or the error code. */
  readonly history: readonly string[] | string;
  /** Unread events about it. */
  readonly unread: number;
}

interface Seen {
  readonly documents: { readonly nodes: readonly { readonly id: string }[] };
  readonly user: { readonly documents: readonly { readonly id: string }[] };
  readonly me: { readonly unreadNotifications: number };
}

interface Histories {
  readonly document: { readonly history: { readonly nodes: readonly { readonly type: string }[] } } | null;
}

const LISTS = `query ($author: ID!, $classification: Classification) {
  documents(org: "acme", first: 100, classification: $classification) { nodes { id } }
  user(id: $author) { documents(last: 100) { id } }
  me { unreadNotifications }
}`;

const HISTORY = 'query ($id: ID!) { document(org: "acme", id: $id) { history { nodes { type } } } }';

async function unreadOf(app: TestApp, as: Sender): Promise<number> {
  const { body } = await app.graphql<Seen>('{ me { unreadNotifications } }', {}, { as });
  return body.data?.me.unreadNotifications ?? Number.NaN;
}

/** @param before the number of unread events before the document was created. */
async function look(app: TestApp, document: Document, as: Sender, before: number): Promise<Sight> {
  const [rest, graph] = DOORS;
  if (!rest || !graph) throw new Error('There are not exactly two doors.');
  const { id, classification, author_id: author } = document;
  const lists = await app.graphql<Seen>(LISTS, { author, classification }, { as });
  const seen = lists.body.data;
  if (!seen) throw new Error(lists.text);
  const { body } = await app.graphql<Histories>(HISTORY, { id }, { as });
  const listed = [await rest.list(app, as), await graph.list(app, as)].map((ids) => ids.includes(id));
  expect(listed[0], 'the doors agree').toBe(listed[1]);
  const read = await rest.read(app, id, as);
  expect(await graph.read(app, id, as), 'the doors agree').toBe(read);
  return {
    read,
    listed: listed[0] ?? false,
    filtered: seen.documents.nodes.some((node) => Number(node.id) === id),
    nested: seen.user.documents.some((node) => Number(node.id) === id),
    history:
      body.errors?.[0]?.extensions.code ?? body.data?.document?.history.nodes.map(({ type }) => type) ?? [],
    unread: seen.me.unreadNotifications - before,
  };
}

const HIDDEN: Sight = {
  read: 'forbidden',
  listed: false,
  filtered: false,
  nested: false,
  history: 'forbidden',
  unread: 0,
};

const shown = (history: readonly string[]): Sight => ({
  read: 'done',
  listed: true,
  filtered: true,
  nested: true,
  history,
  unread: history.length,
});

describeEachEngine('read access to a document', (engine) => {
  const app = startApp(engine);

  // The count of unread events stops at 100.
  beforeEach(async () => {
    for (const as of ['ada', 'ed', 'vic', 'gil'] as const) {
      await app.graphql('mutation { markFeedRead { id } }', {}, { as });
    }
  });

  describe.each([
    { classification: 'public', ada: true, ed: true, vic: true },
    { classification: 'internal', ada: true, ed: true, vic: true },
    { classification: 'confidential', ada: true, ed: true, vic: false },
  ] as const)('a $classification document of an editor', ({ classification, ...sees }) => {
    test.each(['ada', 'ed', 'vic'] as const)(
      'is visible to %s, or hidden, consistently everywhere',
      async (person) => {
        const before = await unreadOf(app, person);
        const document = await writeDocument(app, 'ed', { classification });
        const sight = await look(app, document, person, before);
        expect(sight).toEqual(sees[person] ? shown(['document.created']) : HIDDEN);
      },
    );

    test('is not visible to another organisation', async () => {
      const before = await unreadOf(app, 'gil');
      const document = await writeDocument(app, 'ed', { classification });
      for (const door of DOORS) {
        expect(await door.read(app, document.id, 'gil')).toBe('forbidden');
      }
      const nested = await app.graphql('{ user(id: 2) { documents { id } } }', {}, { as: 'gil' });
      expect(nested.body.data).toEqual({ user: null });
      expect(await unreadOf(app, 'gil')).toBe(before);
    });
  });

  test('a share gives a viewer access while it exists', async () => {
    const before = await unreadOf(app, 'vic');
    const document = await writeDocument(app, 'ada', { classification: 'confidential' });
    expect(await look(app, document, 'vic', before)).toEqual(HIDDEN);

    await shareDocument(app, document.id, VIC, 'reader');
    const expectedEvents = ['document.shared', 'document.created'];
    expect(await look(app, document, 'vic', before)).toEqual(shown(expectedEvents));

    await unshareDocument(app, document.id, VIC);
    expect(await look(app, document, 'vic', before)).toEqual(HIDDEN);
  });

  test('a share with one user gives no access to another', async () => {
    const document = await writeDocument(app, 'ada', { classification: 'confidential' });
    const before = await unreadOf(app, 'vic');
    await shareDocument(app, document.id, ED, 'writer');
    expect(await look(app, document, 'vic', before)).toEqual(HIDDEN);
  });

  test('a share of one document gives no access to another', async () => {
    const shared = await writeDocument(app, 'ada', { classification: 'confidential' });
    const before = await unreadOf(app, 'vic');
    const other = await writeDocument(app, 'ada', { classification: 'confidential' });
    await shareDocument(app, shared.id, VIC, 'reader');
    expect(await look(app, other, 'vic', before + 2)).toEqual(HIDDEN);
  });

  test('a document that becomes confidential disappears, with all its events', async () => {
    const before = await unreadOf(app, 'vic');
    const document = await writeDocument(app, 'ada', { classification: 'public' });
    expect(await look(app, document, 'vic', before)).toEqual(shown(['document.created']));
    await app.patch(`/v1/orgs/acme/docs/${document.id}`, {
      as: 'ada',
      body: { classification: 'confidential' },
    });
    expect(await look(app, { ...document, classification: 'confidential' }, 'vic', before)).toEqual(HIDDEN);
  });

  test('a document that is no longer confidential does not reveal its earlier titles', async () => {
    const { id } = await writeDocument(app, 'ada', { classification: 'confidential', title: 'Secret plan' });
    const change = (body: object) => app.patch(`/v1/orgs/acme/docs/${id}`, { as: 'ada', body });
    await change({ title: 'Secret merger' });
    await shareDocument(app, id, ED, 'reader');
    await unshareDocument(app, id, ED);
    await change({ title: 'Press release', classification: 'public' });

    const document =
      'query ($id: ID!) { document(org: "acme", id: $id) { history { nodes { type data } } } }';
    const { body, text } = await app.graphql(document, { id }, { as: 'vic' });
    const hidden = { classification: 'confidential' };
    const share = { ...hidden, user_id: ED, relation: 'reader' };
    expect(body.data).toEqual({
      document: {
        history: {
          nodes: [
            { type: 'document.updated', data: { title: 'Press release', classification: 'public' } },
            { type: 'document.unshared', data: share },
            { type: 'document.shared', data: share },
            { type: 'document.updated', data: hidden },
            { type: 'document.created', data: hidden },
          ],
        },
      },
    });
    expect(text).not.toContain('Secret');
  });

  test.each([
    { classification: 'internal', seen: 2 },
    { classification: 'confidential', seen: 0 },
  ] as const)(
    'a deleted $classification document cannot be read, and its events stay visible to the same users',
    async ({ classification, seen }) => {
      const before = { vic: await unreadOf(app, 'vic'), ed: await unreadOf(app, 'ed') };
      const document = await writeDocument(app, 'ed', { classification });
      for (const door of DOORS) expect(await door.remove(app, document.id, 'ada')).toBe('done');
      for (const person of ['ada', 'ed', 'vic'] as const) {
        for (const door of DOORS) {
          expect(await door.read(app, document.id, person)).toBe('not_found');
          expect(await door.list(app, person)).not.toContain(document.id);
        }
      }
      expect((await unreadOf(app, 'vic')) - before.vic).toBe(seen);
      expect((await unreadOf(app, 'ed')) - before.ed).toBe(2);
    },
  );

  test('unread counts are visible only to their user', async () => {
    const document = 'query ($id: ID!) { user(id: $id) { unreadNotifications } }';
    const seen = await app.graphql(document, { id: 1 }, { as: 'vic' });
    expect(seen.body.data).toEqual({ user: { unreadNotifications: null } });
    const own = await app.graphql(document, { id: VIC }, { as: 'vic' });
    expect(own.body.data).toEqual({ user: { unreadNotifications: await unreadOf(app, 'vic') } });
  });

  test('the history requires read:feed, and names actors', async () => {
    const reader = await app.signIn('vic', ['read:docs']);
    const refused = await app.graphql(HISTORY, { id: 1 }, { as: reader });
    expect(refused.body.errors?.map((error) => error.extensions.code)).toEqual(['insufficient_scope']);

    const follower = await app.signIn('vic', ['read:docs', 'read:feed']);
    const named = 'query { document(org: "acme", id: 1) { history { nodes { actor { id name } } } } }';
    const { body } = await app.graphql(named, {}, { as: follower });
    expect(body.data).toEqual({
      document: { history: { nodes: [{ actor: { id: '1', name: 'Ada Brandt' } }] } },
    });
  });
});
