import { describe, expect, test } from 'vitest';
import { nearSettings } from '../../src/config.ts';

describe('variables that are nearly settings', () => {
  test.each([
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
  ])('%s is named with %s', (name, meant) => {
    expect(nearSettings({ [name]: 'x' })).toEqual([`${name} is not a setting. Was ${meant} meant?`]);
  });

  test('those of the system and settings themselves are not', () => {
    expect(
      nearSettings({ PATH: '/bin', PGPORT: '5432', PGHOST: 'db', HOSTNAME: 'x', PORT: '4000', LANG: 'C' }),
    ).toEqual([]);
  });
});
