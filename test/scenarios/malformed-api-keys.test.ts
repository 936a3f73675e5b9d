/** Malformed API keys: all are refused alike, and most without a statement. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { describeEachEngine } from '../support/engines.ts';
import { createKey, hashOf, secretOf } from '../support/fixtures/api-keys.ts';
import { DOORS, expectRefused } from './credential-doors.ts';

/** Statements besides the lookup of the key; the last use is written separately. */
const isBesideKeys = (name: string) => name !== 'apiKeys.usable' && name !== 'apiKeys.touch';

describeEachEngine('API keys', (engine) => {
  const app = startApp(engine);

  describe('a malformed key', () => {
    const other = 'A'.repeat(43);

    const MALFORMED: readonly (readonly [name: string, from: (key: string, id: number) => string])[] = [
      ['another prefix', (key) => key.replace('pk_', 'sk_')],
      ['its prefix in upper case', (key) => key.replace('pk_', 'PK_')],
      ['no prefix', (key) => key.replace('pk_', '')],
      ['only the secret', secretOf],
      ['the id of no key', (key) => key.replace(/^pk_\d+/, 'pk_999999')],
      ['the id of another key', (key, id) => key.replace(/^pk_\d+/, `pk_${id - 1}`)],
      ['the id 0', (key) => key.replace(/^pk_\d+/, 'pk_0')],
      ['an id with a leading zero', (key) => key.replace('pk_', 'pk_0')],
      ['a negative id', (key) => key.replace('pk_', 'pk_-')],
      ['an id with a fraction', (key) => key.replace(/^pk_(\d+)/, 'pk_$1.0')],
      ['an id with an exponent', (key) => key.replace(/^pk_(\d+)/, 'pk_$1e0')],
      ['an id in another number base', (key, id) => key.replace(/^pk_\d+/, `pk_0x${id.toString(16)}`)],
      ['an id beyond the safe integers', (key) => key.replace(/^pk_\d+/, 'pk_9007199254740993')],
      ['an id beyond 64 bits', (key) => key.replace(/^pk_\d+/, 'pk_99999999999999999999')],
      ['no id', (key) => key.replace(/^pk_\d+_/, 'pk__')],
      ['another secret', (key) => key.replace(secretOf(key), other)],
      ['the secret in another case', (key) => key.replace(secretOf(key), swapCase(secretOf(key)))],
      ['no secret', (key) => key.replace(secretOf(key), '')],
      ['its last character missing', (key) => key.slice(0, -1)],
      ['its second half missing', (key) => key.slice(0, 20)],
      ['one extra character', (key) => `${key}A`],
      ['padding', (key) => `${key}=`],
      ['an equivalent spelling of the last character', (key) => key.replace(/.$/, nextSpelling)],
      ['the key twice', (key) => `${key}.${key}`],
      ['the hash of the secret', (key) => key.replace(secretOf(key), hashOf(key))],
      ['10 KB', (key) => key + 'A'.repeat(10_240)],
      ['an id of 10 KB', (key) => key.replace('pk_', `pk_${'1'.repeat(10_240)}`)],
      ['SQL', (key) => `${key}'--`],
      ['a quoted key', (key) => `"${key}"`],
      ['a space inside', (key) => key.replace('_', ' _')],
      ['a list', (key) => `${key}, ${key}`],
      ['nothing', () => ''],
    ];

    describe.each(DOORS)('over $name', (door) => {
      let id = 0;
      let key = '';
      beforeAll(async () => {
        await createKey(app);
        ({ id, key } = await createKey(app, { scopes: ['read:users'] }));
      });

      test.each(MALFORMED)('%s is refused', async (_name, from) => {
        expectRefused(await door.ask(app, `ApiKey ${from(key, id)}`));
        expect(app.statements.filter(isBesideKeys)).toEqual([]);
        expect((await door.ask(app, `ApiKey ${key}`)).status).toBe(200);
      });

      test.each([
        ['as a Bearer token', (key: string) => `Bearer ${key}`],
        ['under the name of another scheme', (key: string) => `Basic ${key}`],
        ['without a scheme', (key: string) => key],
        ['after the scheme and an equals sign', (key: string) => `ApiKey=${key}`],
      ])('sent %s is refused', async (_name, header) => {
        expectRefused(await door.ask(app, header(key)));
      });

      test('with characters outside ASCII is refused', async () => {
        for (const sent of [`${key}é`, key.replace('p', 'р'), `${key}\u200b`, '🔑']) {
          expectRefused(await door.askRaw(app, [`Authorization: ApiKey ${sent}`]));
        }
      });

      test('unknown, revoked and wrong keys get the same response', async () => {
        const { id: doomed, key: own } = await createKey(app, { scopes: ['read:users'] });
        const wrong = await door.ask(app, `ApiKey ${own.replace(secretOf(own), other)}`);
        const unknown = await door.ask(app, `ApiKey pk_999999_${other}`);
        await app.delete(`/v1/api-keys/${doomed}`, { as: 'ada' });
        const revoked = await door.ask(app, `ApiKey ${own}`);
        const revokedAndWrong = await door.ask(app, `ApiKey ${own.replace(secretOf(own), other)}`);
        for (const reply of [unknown, revoked, revokedAndWrong]) expect(reply).toEqual(wrong);
        expectRefused(wrong);
      });
    });
  });
});

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}

/** Decodes to the same bytes: 2 bits of the last of 43 characters are ignored. */
function nextSpelling(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) + 1);
}
