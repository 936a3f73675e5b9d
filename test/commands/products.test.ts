/** `portico product`: adding, listing and importing products. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readProductFile } from '../../src/cli/product-import.ts';
import { run } from '../../src/cli/run.ts';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine } from '../support/engines.ts';
import { command } from './command.ts';

const directory = mkdtempSync(join(tmpdir(), 'portico-products-'));
afterAll(() => rmSync(directory, { recursive: true }));

let serial = 0;
function fileOf(content: string | Buffer): string {
  serial += 1;
  const path = join(directory, `${serial}.csv`);
  writeFileSync(path, content);
  return path;
}

const TITLES = 'name,unit_price,currency';

describeEachEngine('products of a file', (engine) => {
  let place: TestDatabase;
  const environment = () => ({ DATABASE_URL: place.url });
  const portico = (...args: string[]) => command(args, { environment: environment() });
  const importFile = (path: string) => portico('product', 'import', path, '--org', 'initech');
  const counted = async () => {
    const [row] = await place.query(
      `select (select count(*) from products) as products, (select count(*) from events) as events`,
    );
    return { products: Number(row?.['products']), events: Number(row?.['events']) };
  };

  beforeAll(async () => {
    place = await engine.create('bare');
    await portico('migrate');
    await portico('org', 'add', 'initech', '--name', 'Initech');
  });

  test('a single product is added and listed', async () => {
    const args = ['--org', 'initech', '--name', 'Stapler', '--unit-price', '12.50', '--currency', 'USD'];
    const added = await portico('product', 'add', ...args, '--json');
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(added.out)).toMatchObject({ name: 'Stapler', unit_price: 12.5, currency: 'USD' });
    const list = await portico('product', 'list', '--org', 'initech', '--json');
    expect(JSON.parse(list.out)).toMatchObject([{ name: 'Stapler', unit_price: 12.5 }]);
    const wrong = await portico('product', 'add', ...args.with(5, '1.234'));
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringContaining('--unit-price must have at most 2 digits'),
    });
  });

  test('10,000 are imported together, each with its event, with a progress bar', async () => {
    const before = await counted();
    const lines = Array.from({ length: 10_000 }, (_, n) => `"Part, ${n}",${n}.25,EUR`);
    const screen = new PassThrough();
    let drawn = '';
    screen.on('data', (chunk: Buffer) => {
      drawn += chunk.toString();
    });
    const code = await run(
      ['product', 'import', fileOf(`\ufeff${TITLES}\r\n${lines.join('\r\n')}`), '--org', 'initech'],
      {
        environment: environment(),
        out: () => {},
        err: (text) => expect.fail(text),
        readInput: async () => '',
        // The progress bar uses the stream members of a terminal, and checks whether it is one.
        screen: Object.assign(screen, {
          isTTY: true,
          columns: 80,
          cursorTo() {},
          clearLine() {},
          moveCursor() {},
        }) as unknown as NodeJS.WriteStream,
      },
    );
    expect(code).toBe(0);
    const after = await counted();
    expect([after.products - before.products, after.events - before.events]).toEqual([10_000, 10_000]);
    expect(drawn).toMatch(/of 10000 products/);
    const [last] = await place.query(
      'select name, unit_price, currency from products order by id desc limit 1',
    );
    expect({ ...last, unit_price: Number(last?.['unit_price']) }).toEqual({
      name: 'Part, 9999',
      unit_price: 999_925,
      currency: 'EUR',
    });
  });

  test('columns may be in any order', async () => {
    expect(await importFile(fileOf('currency,name,unit_price\nJPY,Tape,480\n'))).toMatchObject({
      code: 0,
      out: 'Added 1 product to initech.\n',
    });
  });

  test('line endings may be mixed, and the numbers of lines are those of an editor', async () => {
    const added = await importFile(fileOf(`${TITLES}\nA,1,USD\r\nB,2,USD\rC,3,USD\n`));
    expect(added).toMatchObject({ code: 0, out: 'Added 3 products to initech.\n' });
    const { err } = await importFile(fileOf(`${TITLES}\r\n\r\nA,1,USD\n"B\r\nC",2,USD\r\nD,x,USD\r\n`));
    expect(err.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^ {2}line 5: name must be one line/),
      '  line 6: unit_price must be a number, such as 19.99',
      '',
    ]);
  });

  test('all invalid lines are reported together, and nothing is added', async () => {
    const before = await counted();
    const path = fileOf(
      [
        TITLES,
        'Good,1,USD',
        ',1,USD',
        `${'x'.repeat(201)},1,USD`,
        'Too\u0007loud,1,USD',
        'Words,cheap,USD',
        'Debt,-1,USD',
        'Fine,1.005,USD',
        'Huge,1e300,USD',
        'Coin,1,Dollar',
        'Short,1',
        'Long,1,USD,more',
        'Alone',
        ' ,x,',
      ].join('\n'),
    );
    const { code, err } = await importFile(path);
    expect(code).toBe(1);
    expect(err.split('\n')).toEqual([
      `${path}: 12 lines are invalid, and nothing was added.`,
      expect.stringMatching(/^ {2}line 3: name must not be empty/),
      expect.stringMatching(/^ {2}line 4: name must have at most 200 characters$/),
      expect.stringMatching(/^ {2}line 5: name must be one line/),
      '  line 6: unit_price must be a number, such as 19.99',
      '  line 7: unit_price must not be below 0',
      expect.stringMatching(/^ {2}line 8: unit_price must have at most 2 digits/),
      '  line 9: unit_price must be at most 9999999.99',
      expect.stringMatching(/^ {2}line 10: currency must be the code/),
      '  line 11: has 2 columns, not 3',
      '  line 12: has 4 columns, not 3',
      '  line 13: has 1 column, not 3',
      expect.stringMatching(/^ {2}line 14: name must be one line.*; unit_price must be a number/),
      '',
    ]);
    expect(await counted()).toEqual(before);
  });

  describe('an invalid file', () => {
    test.each([
      ['does not exist', () => join(directory, 'none.csv'), /cannot be read: ENOENT/],
      ['is empty', () => fileOf(''), /must begin with a header row: name, unit_price, currency/],
      ['lacks a column title', () => fileOf('name,currency\nA,USD\n'), /It has: name, currency/],
      ['has a duplicate column title', () => fileOf(`${TITLES},name\n`), /must begin with a header row/],
      ['has an unclosed quote', () => fileOf(`${TITLES}\n"Open,1,USD\n`), /is not CSV: Quote Not Closed/],
      ['is not UTF-8', () => fileOf(Buffer.from([0x6e, 0xff, 0x0a])), /is not UTF-8\.\n$/],
      ['is UTF-16', () => fileOf(Buffer.from(`\ufeff${TITLES}\n`, 'utf16le')), /is not UTF-8\.\n$/],
      ['is too large', () => fileOf(`${TITLES}\n${' '.repeat(33_554_432)}`), /more than 33554432 bytes/],
    ])('%s', async (_, path, said) => {
      const before = await counted();
      const { code, err } = await importFile(path());
      expect(code).toBe(1);
      expect(err).toMatch(said);
      expect(await counted()).toEqual(before);
    });
  });

  test.skipIf(!existsSync('/dev/zero'))('a file without an end or a size is refused', async () => {
    const { code, err } = await importFile('/dev/zero');
    expect([code, err]).toEqual([1, '/dev/zero has more than 33554432 bytes. Split it.\n']);
  });

  test('an unknown organisation is refused', async () => {
    const { code, err } = await portico('product', 'import', fileOf(TITLES), '--org', 'none');
    expect([code, err]).toEqual([
      1,
      'There is no organisation "none". Create it with "npx portico org add".\n',
    ]);
  });
});

test('a file with too many lines is refused without holding all of them, which would take gigabytes', async () => {
  const path = fileOf(`${TITLES}\n${'a\n'.repeat(16_000_000)}`);
  await expect(readProductFile(path)).rejects.toThrow(`${path} has more than 100000 products. Split it.`);
});
