/** Permissions to change, share and delete documents: one rule, tested through both doors. */
import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import type { Sender } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { writesNothing } from '../support/expectations.ts';
import { ED, shareDocument, unshareDocument, VIC, writeDocument } from '../support/fixtures/documents.ts';
import type { Document } from '../support/response-bodies.ts';
import { DOORS } from './document-doors.ts';

describeEachEngine('write access to a document', (engine) => {
  const app = startApp(engine);

  describe.each(DOORS)('by $name', (door) => {
    let id: number;
    const write = async (as: Sender, classification: Document['classification']) => {
      id = (await writeDocument(app, as, { classification })).id;
    };
    const titleOf = async () => {
      const { body } = await app.get<Document>(`/v1/orgs/acme/docs/${id}`, { as: 'ada' });
      return body.title;
    };
    const update = (as: Sender) => door.update(app, id, as, { title: 'Changed' });
    const refuses = async (as: Sender, code: string) => {
      expect(await writesNothing(app, () => update(as))).toBe(code);
      expect(await titleOf()).toBe('Notes');
    };
    const allows = async (as: Sender) => {
      expect(await update(as)).toBe('done');
      expect(await titleOf()).toBe('Changed');
    };

    beforeEach(() => write('ada', 'confidential'));

    test('an administrator may change every document', () => allows('ada'));

    test('an editor may change documents that are not confidential, including those of others', async () => {
      await refuses('ed', 'forbidden');
      await write('ada', 'internal');
      await allows('ed');
    });

    test('an editor may change their own', async () => {
      await write('ed', 'confidential');
      await allows('ed');
    });

    test('an editor may change one shared with them as writer, but not as reader', async () => {
      await shareDocument(app, id, ED, 'reader');
      expect(await door.read(app, id, 'ed')).toBe('done');
      await refuses('ed', 'forbidden');
      await shareDocument(app, id, ED, 'writer');
      await allows('ed');
    });

    test('an editor whose access is a share cannot manage shares', async () => {
      await shareDocument(app, id, ED, 'writer');
      for (const attempt of [
        () => door.share(app, id, 'ed', VIC, 'reader'),
        () => door.share(app, id, 'ed', ED, 'reader'),
        () => door.unshare(app, id, 'ed', ED),
        () => door.update(app, id, 'ed', { classification: 'public' }),
        () => door.update(app, id, 'ed', { title: 'Smuggled', classification: 'internal' }),
      ]) {
        expect(await writesNothing(app, attempt)).toBe('forbidden');
      }
      expect(await door.read(app, id, 'vic')).toBe('forbidden');
      expect(await door.update(app, id, 'ed', { classification: 'confidential', body: 'Same.' })).toBe(
        'done',
      );
    });

    test('an editor manages shares of documents that they can read without a share', async () => {
      for (const [author, classification] of [
        ['ed', 'confidential'],
        ['ada', 'internal'],
      ] as const) {
        await write(author, classification);
        await shareDocument(app, id, ED, 'writer');
        expect(await door.share(app, id, 'ed', VIC, 'reader')).toBe('done');
        expect(await door.unshare(app, id, 'ed', VIC)).toBe('done');
        expect(await door.update(app, id, 'ed', { classification: 'public' })).toBe('done');
      }
    });

    test('a share as reader does not restrict an editor', async () => {
      await write('ada', 'internal');
      await shareDocument(app, id, ED, 'reader');
      await allows('ed');
    });

    test('a viewer may change nothing, whether they can read it or not', async () => {
      await refuses('vic', 'forbidden');
      await write('ada', 'public');
      await refuses('vic', 'forbidden');
      await shareDocument(app, id, VIC, 'reader');
      await refuses('vic', 'forbidden');
    });

    test('a viewer may change one shared with them as writer, but not delete or share it', async () => {
      await shareDocument(app, id, VIC, 'writer');
      await allows('vic');
      const refused = [
        () => door.remove(app, id, 'vic'),
        () => door.share(app, id, 'vic', ED, 'reader'),
        () => door.unshare(app, id, 'vic', VIC),
        () => door.update(app, id, 'vic', { classification: 'public' }),
        () => door.update(app, id, 'vic', { title: 'Smuggled', classification: 'internal' }),
      ];
      const codes = [];
      for (const attempt of refused) codes.push(await writesNothing(app, attempt));
      expect(codes).toEqual([
        'insufficient_role',
        'insufficient_scope',
        'insufficient_scope',
        'forbidden',
        'forbidden',
      ]);
      expect(await door.update(app, id, 'vic', { classification: 'confidential', body: 'Same.' })).toBe(
        'done',
      );
      expect(await door.shares(app, id, 'vic')).toBe('done');
    });

    test('a withdrawn share gives no access from the next request on', async () => {
      await shareDocument(app, id, VIC, 'writer');
      expect(await door.update(app, id, 'vic', { body: 'Mine for now.' })).toBe('done');
      await unshareDocument(app, id, VIC);
      await refuses('vic', 'forbidden');
      expect(await door.read(app, id, 'vic')).toBe('forbidden');
      expect(await door.shares(app, id, 'vic')).toBe('forbidden');
    });

    test('a share as writer does not apply to a narrowed token', async () => {
      await shareDocument(app, id, VIC, 'writer');
      for (const scopes of [['read:docs'], ['read:docs', 'read:users', 'read:orders', 'read:charges']]) {
        const narrowed = await app.signIn('vic', scopes);
        expect(await door.read(app, id, narrowed)).toBe('done');
        await refuses(narrowed, 'forbidden');
        expect(await door.shares(app, id, narrowed)).toBe('forbidden');
      }
      await allows('vic');
    });

    test('a token of an editor without write:docs cannot change anything, with or without a share', async () => {
      await shareDocument(app, id, ED, 'writer');
      await refuses(await app.signIn('ed', ['read:docs', 'write:orders']), 'forbidden');
      await allows(await app.signIn('ed', ['read:docs', 'write:docs']));
    });

    test('a token with write:docs alone may change, one with neither scope gets insufficient_scope', async () => {
      await refuses(await app.signIn('ada', ['write:orders']), 'insufficient_scope');
      await allows(await app.signIn('ada', ['write:docs']));
    });

    test('a deleted document cannot be changed, shared or read', async () => {
      await shareDocument(app, id, VIC, 'writer');
      expect(await door.remove(app, id, 'ada')).toBe('done');
      for (const person of ['ada', 'vic'] as const) {
        expect(await writesNothing(app, () => update(person))).toBe('not_found');
        expect(await door.shares(app, id, person)).toBe('not_found');
      }
      expect(await writesNothing(app, () => door.share(app, id, 'ada', ED, 'reader'))).toBe('not_found');
      expect(await writesNothing(app, () => door.unshare(app, id, 'ada', VIC))).toBe('not_found');
    });

    test('shares are visible only to users who may change the document', async () => {
      await write('ed', 'confidential');
      await shareDocument(app, id, VIC, 'reader');
      expect(await door.shares(app, id, 'ed')).toBe('done');
      expect(await door.shares(app, id, 'ada')).toBe('done');
      expect(await door.shares(app, id, 'vic')).toBe('forbidden');
    });
  });
});
