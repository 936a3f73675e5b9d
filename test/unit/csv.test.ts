/** Rows as CSV: RFC 4180, and protection against formulas in spreadsheets. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFormats, type Row } from '../../src/rest/export/formats.ts';

const { 'text/csv': csv } = createFormats({
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: ['string', 'null'] },
    at: { type: 'string', format: 'date-time' },
    place: { type: ['object', 'null'], properties: { city: { type: 'string' }, zip: { type: 'number' } } },
    tags: { type: 'array', items: { type: 'string' } },
    data: {},
  },
});
const { header } = csv;
const write = (written: Row) => csv.write([written]);

const row = {
  id: 1,
  name: 'x',
  at: new Date(0),
  place: { city: 'Ulm', zip: -7 },
  tags: ['a', '=b'],
  data: { k: 1 },
};

test('members of objects become columns, and lists become JSON', () => {
  expect(header).toBe('id,name,at,place.city,place.zip,tags,data\r\n');
  expect(write(row)).toBe('1,x,1970-01-01T00:00:00.000Z,Ulm,-7,"[""a"",""=b""]","{""k"":1}"\r\n');
  expect(write({ ...row, place: null, data: null })).toBe(
    '1,x,1970-01-01T00:00:00.000Z,,,"[""a"",""=b""]",\r\n',
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ['+49 731', "'+49 731"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['＝1', "'＝1"],
  ["'=1", "''=1"],
  ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ["'tis", "'tis"],
  ['a=b', 'a=b'],
  ['', '""'],
  [' spaced ', '" spaced "'],
  ['a,b', '"a,b"'],
  ['two\nlines', '"two\nlines"'],
  [null, ''],
])('the text %j is written as %j', (name, field) => {
  expect(write({ ...row, name }).split(',1970')[0]).toBe(`1,${field}`);
});

test('every string is read back, without the apostrophe that protects against formulas', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (name) => {
      const [record] = parse(header + write({ ...row, name }), { columns: true }) as { name: string }[];
      const read = record?.name ?? '';
      expect(/^'+[=+\-@\t\r\n＝＋－＠]/.test(read) ? read.slice(1) : read).toBe(name);
      expect(read).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
    }),
  );
});
