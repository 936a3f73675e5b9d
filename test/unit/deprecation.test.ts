import { describe, expect, test } from 'vitest';
import { earliest, readDeprecation } from '../../src/core/deprecation.ts';
import { basePathOf } from '../../src/core/public-url.ts';
import { deprecationHeaders } from '../../src/http/headers.ts';

describe('the dates of a deprecation', () => {
  test.each([
    { since: '2026-11-01', ends: '2027-11-01', why: 'twelve months later by default' },
    { since: '2028-02-29', ends: '2029-02-28', why: 'the last day of a shorter month' },
    { since: '2027-02-28', ends: '2028-02-28', why: 'the same day, also before a leap day' },
    { since: '2026-12-31', ends: '2027-12-31', why: 'across the end of a year' },
    { since: '2026-11-01', sunset: '2028-01-15', ends: '2028-01-15', why: 'another day if it is given' },
    {
      since: '2026-11-01',
      sunset: '2026-11-01',
      ends: '2026-11-01',
      why: 'the same day if it is given',
    },
  ])('since $since: $ends, $why', ({ since, sunset, ends }) => {
    expect(readDeprecation(since, sunset)).toEqual({
      since: new Date(`${since}T00:00:00.000Z`),
      sunset: new Date(`${ends}T00:00:00.000Z`),
    });
  });

  test.each([
    ['2026-02-30', undefined, '"2026-02-30" is not a day such as 2026-11-01.'],
    ['2026-11', undefined, '"2026-11" is not a day such as 2026-11-01.'],
    ['2026-11-01T00:00:00Z', undefined, '"2026-11-01T00:00:00Z" is not a day such as 2026-11-01.'],
    ['1. 11. 2026', undefined, '"1. 11. 2026" is not a day such as 2026-11-01.'],
    ['', undefined, '"" is not a day such as 2026-11-01.'],
    ['2026-11-01', 'soon', '"soon" is not a day such as 2026-11-01.'],
    ['2026-11-01', '2026-10-31', 'The sunset 2026-10-31 is before 2026-11-01, when the deprecation begins.'],
  ])('since "%s" until "%s" are refused', (since, sunset, message) => {
    expect(() => readDeprecation(since, sunset)).toThrow(new RangeError(message));
  });

  test('of several deprecations are the earliest of each', () => {
    const long = readDeprecation('2026-01-01', '2030-01-01');
    const short = readDeprecation('2026-06-01', '2026-07-01');
    expect(earliest([long, short])).toEqual({ since: long.since, sunset: short.sunset });
  });
});

describe('the headers of a deprecation', () => {
  const deprecation = readDeprecation('2026-11-01');

  test.each([
    {
      title: 'at the root of an address',
      publicUrl: 'https://api.test',
      successor: '/v2/charges',
      link: '</v2/charges>; rel="successor-version", </docs/versions>; rel="deprecation"; type="text/html"',
    },
    {
      title: 'below a path, which the links begin with',
      publicUrl: 'https://api.test/shop',
      successor: '/v2/charges',
      link: '</shop/v2/charges>; rel="successor-version", </shop/docs/versions>; rel="deprecation"; type="text/html"',
    },
    {
      title: 'without a successor',
      publicUrl: 'https://api.test',
      successor: undefined,
      link: '</docs/versions>; rel="deprecation"; type="text/html"',
    },
  ])('$title', ({ publicUrl, successor, link }) => {
    expect(deprecationHeaders(deprecation, basePathOf(publicUrl), successor)).toEqual({
      deprecation: '@1793491200',
      sunset: 'Mon, 01 Nov 2027 00:00:00 GMT',
      link,
    });
  });
});
