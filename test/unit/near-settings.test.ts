import { describe, expect, test } from 'vitest';
import { misspelledSettings } from '../../src/config.ts';

describe('variables that look like misspelt settings', () => {
  test.each([
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['Rate_Limit_Points', 'RATE_LIMIT_POINTS'],
    ['database_uri', 'DATABASE_URL'],
    ['port', 'PORT'],
  ])('%s is reported with the suggestion %s', (name, meant) => {
    expect(misspelledSettings({ [name]: 'x' })).toEqual([`${name} is not a setting. Was ${meant} meant?`]);
  });

  test('variables of the system and real settings are not reported', () => {
    expect(
      misspelledSettings({
        PATH: '/bin',
        PGPORT: '5432',
        PGHOST: 'db',
        HOSTNAME: 'x',
        PORT: '4000',
        LANG: 'C',
        http_proxy: 'http://proxy',
        npm_config_host: 'x',
      }),
    ).toEqual([]);
  });
});
