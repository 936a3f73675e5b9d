import addressParser from 'nodemailer/lib/addressparser';
import { describe, expect, test } from 'vitest';
import { type Config, ConfigError, loadConfig } from '../../src/config.ts';
import { withoutPassword } from '../../src/core/environment.ts';
import { trustOf } from '../../src/http/server.ts';

/** @param use what else must not fail with settings that are accepted. */
const problemsOf = (
  environment: Record<string, string>,
  use: (config: Config) => unknown = () => {},
): string[] => {
  try {
    use(loadConfig(environment));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').slice(1);
  }
};

/** Values of each kind that some setting has, out of range, incomplete, or meant for another setting. */
const KINDS = [
  ...['-1', '0', '1.5', '1e3', '0x10', '99999999999999999999', 'NaN', 'true', 'on', 'off'],
  ...['x', 'a b', 'a,b', ',', ';', '/', '%', '%zz', 'é', '\u{1f4a5}', 'x'.repeat(10_000)],
  ...['10.0.0.0/33', '::1/129', '10.0.0.1/0', '::ffff:10.0.0.1/97', '[::1]', '10.0.0.1/8/8'],
  ...[
    'http://',
    'https://[',
    'http://h:99999',
    'http://a,b;c',
    '//h',
    'postgres://',
    'postgres://[',
    'postgres://%zz@h/d',
  ],
  ...['file:', 'file:x', 'redis://[', 'redis+sentinel://', 'smtp://', 'smtp://h:99999', 'whsec_', 'sk_'],
  ...['<>', '@', 'a@', '@b', 'a@b, c@d', 'not an address', '*', '__proto__', 'constructor'],
];

/** The settings whose URLs may have a password. */
const WITH_PASSWORDS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URLS',
  'REDIS_URL',
  'MAIL_URL',
];

const CONTROLS = ['a\nb', 'Portico <a@acme.test>\r\nBcc: b@acme.test', 'a\0b', '1\t2', 'a\u0085b'];

/** The names of all settings that a server reads. Stripe's key is read only if Stripe is the provider. */
function settingNames(): string[] {
  const names = new Set<string>();
  const environment: Record<string, string> = { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_test_abc' };
  loadConfig(
    new Proxy(environment, {
      get(target, name) {
        names.add(String(name));
        return target[String(name)];
      },
    }),
  );
  names.delete('STRIPE_SECRET_KEY');
  return [...names];
}

/** What the libraries that use settings make of them. */
function useSettings({ http, mail }: Config): void {
  trustOf(http);
  expect(addressParser(mail.from)).toEqual([
    { name: expect.any(String), address: expect.stringMatching(/.@./) },
  ]);
}

describe('settings', () => {
  test('an empty environment starts on SQLite with demo data', () => {
    expect(loadConfig({})).toMatchObject({
      production: false,
      http: { port: 4000, publicUrl: 'http://localhost:4000', trustProxy: 0 },
      database: { url: 'file:data/portico.db' },
      demo: true,
      auth: { keysFile: 'data/keys.json' },
      telemetry: { logLevel: 'info' },
    });
  });

  test('an empty value counts as absent, and white space around a value is ignored', () => {
    expect(loadConfig({ PORT: '', HOST: '  ', LOG_LEVEL: ' debug ' })).toMatchObject({
      http: { port: 4000, host: '0.0.0.0' },
      telemetry: { logLevel: 'debug' },
    });
  });

  test('the public URL follows the port and loses a trailing slash', () => {
    expect(loadConfig({ PORT: '8080' }).http.publicUrl).toBe('http://localhost:8080');
    expect(loadConfig({ PUBLIC_URL: 'https://api.acme.test/portico//' }).http.publicUrl).toBe(
      'https://api.acme.test/portico',
    );
  });

  // Clients compare the URL with those of requests, tokens and metadata in this form.
  test.each([
    ['https://api.acme.test:443', 'https://api.acme.test'],
    ['HTTPS://API.acme.test/Base', 'https://api.acme.test/Base'],
    ['https://bücher.test', 'https://xn--bcher-kva.test'],
    ['http:/localhost:4000', 'http://localhost:4000'],
    ['https://api.acme.test/a/../b', 'https://api.acme.test/b'],
    ['https://api.acme.test/?', 'https://api.acme.test'],
  ])('the public URL %s is used as %s', (value, used) => {
    expect(loadConfig({ PUBLIC_URL: value }).http.publicUrl).toBe(used);
  });

  test('the public URL has no password, and the message does not repeat it', () => {
    expect(problemsOf({ PUBLIC_URL: 'https://portico:hunter2@api.acme.test' })).toEqual([
      expect.stringMatching(/^ {2}- PUBLIC_URL must not have a user or a password(?!.*hunter2)/),
    ]);
  });

  for (const [name, values] of Object.entries({
    PORT: ['0', '65535'],
    PUBLIC_URL: ['http://localhost', 'https://api.acme.test/a/b', 'http://[::1]:4000'],
    DATABASE_URL: [
      'file:x.db',
      'postgres://u:p@h/d',
      'postgresql://h/d',
      'postgres://u:p@h:1,[::1]:5432/d',
      'postgres:///d?host=/run/postgresql',
      'postgres://%2Frun%2Fpostgresql/d',
    ],
    DATABASE_POOL: ['1', '1000'],
    MAIL_URL: ['', 'smtp://localhost', 'smtps://user:p%40ss@mail.example:465'],
    MAIL_PER_ADDRESS: ['1'],
    OPERATION_DEPTH: ['6', '30'],
    PAGE_MAX: ['1', '100'],
    RESPONSE_LIMIT: ['2097152', '67108864'],
    HEADERS_TIMEOUT: ['100', '30000'],
    REQUEST_TIMEOUT: ['10000', '300000'],
    REDIS_URL: [
      '',
      'redis://localhost:6379',
      'redis://user:s%40@h/2',
      'rediss://h',
      'redis+sentinel://a:1,b/name',
    ],
    DEMO: ['0', '1'],
    WEBHOOK_ALLOW_LOOPBACK: ['0', '1'],
    STRIPE_WEBHOOK_SECRET: ['', 'whsec_4nJ2kQ8sVb1xWm7R', 'whsec_4nJ2kQ8sVb1xWm7R, whsec_5nJ2kQ8sVb1xWm7R'],
    LOG_LEVEL: ['silent', 'trace', 'fatal'],
    TRUST_PROXY: ['0', '1', '2', '10.0.0.0/8, ::1', '10.0.0.1/32', '::1/128'],
    MAIL_FROM: ['no-reply@acme.test', 'Acme <no-reply@acme.test>', '"Acme, Inc." <no-reply@[192.0.2.1]>'],
    SHUTDOWN_DELAY: ['0', '300000'],
  })) {
    for (const value of values) {
      test(`${name}=${value} is accepted`, () => {
        expect(problemsOf({ [name]: value }, useSettings)).toEqual([]);
      });
    }
  }

  for (const [name, values] of Object.entries({
    PORT: ['x', '-1', '65536', '80.5', '0x50', '1e3', '4000 5000'],
    PUBLIC_URL: ['localhost:4000', 'ftp://h', 'https://h?x=1', 'https://h#x', '/'],
    DATABASE_URL: [
      'file:',
      'mysql://h/d',
      'portico.db',
      'postgres://',
      'postgres://h:99999/d',
      'postgres://h,i:x/d',
      'file::memory:',
      'file:x.db?mode=ro',
    ],
    DATABASE_DIRECT_URL: ['postgres://h:99999/d'],
    DATABASE_REPLICA_URLS: ['h', 'postgres://h/d, postgres://h:99999/d'],
    DATABASE_POOL: ['0', '1001', '-1'],
    REDIS_URL: [
      'localhost:6379',
      'http://h',
      'redis',
      'file:redis',
      'redis://',
      'redis://h/zero',
      'redis://h/2/3',
      'redis://%@h',
      'redis+sentinel://%@h/name',
      'redis+sentinel://h:99999/name',
    ],
    DOCUMENT_TOKENS: ['999', '20001'],
    OPERATION_DEPTH: ['5', '31'],
    OPERATION_ROOT_FIELDS: ['4', '1001'],
    PAGE_MAX: ['0', '101'],
    RESPONSE_LIMIT: ['2097151', '8 MiB'],
    HEADERS_TIMEOUT: ['99', '300001'],
    DEMO: ['yes', '2'],
    WEBHOOK_ALLOW_LOOPBACK: ['yes', '127.0.0.1'],
    LOG_LEVEL: ['loud', 'INFO'],
    TRUST_PROXY: ['yes', 'true', '12', '-1', 'proxy.acme.test', '10.0.0.0/33', '::1/129', '10.0.0.1/0', ','],
    MAIL_FROM: ['not an address', 'Acme', '<>', 'a@acme.test, b@acme.test', 'Team: a@acme.test;'],
    SHUTDOWN_DELAY: ['-1', '300001', '5s'],
  })) {
    for (const value of values) {
      test(`${name}=${value} is refused by its name, with the value unless it may have a password`, () => {
        const problems = problemsOf({ [name]: value });
        expect(problems).toHaveLength(1);
        expect(problems[0]).toMatch(new RegExp(`^ {2}- ${name} must `));
        const isShown = problems[0]?.endsWith(`, not ${JSON.stringify(value)}`);
        expect(isShown).toBe(!WITH_PASSWORDS.includes(name));
      });
    }
  }

  test.each(settingNames())('%s is accepted or refused by its name, whatever its value', (name) => {
    for (const value of KINDS) {
      // An accepted value must also suit the code that uses it.
      for (const problem of problemsOf({ [name]: value }, useSettings))
        expect(problem, value).toMatch(/^ {2}- [A-Z][A-Z_]+ /);
    }
    for (const value of CONTROLS) {
      expect(problemsOf({ [name]: value })).toContain(
        `  - ${name} must be one line without control characters`,
      );
    }
  });

  test.each([
    [{ DATABASE_REPLICA_URLS: 'postgres://db/portico' }, 'DATABASE_REPLICA_URLS needs PostgreSQL'],
    [{ PORT_SHARING: 'on' }, 'PORT_SHARING needs PostgreSQL'],
    [{ DATABASE_DIRECT_URL: 'postgres://db/portico' }, 'DATABASE_DIRECT_URL must lead to the database of'],
    [{ DATABASE_DIRECT_URL: 'file:another.db' }, 'DATABASE_DIRECT_URL must lead to the database of'],
    [{ MTLS_CA_FILE: 'a' }, 'MTLS_CA_FILE needs MTLS_PORT or CLIENT_CERT_HEADER'],
    [{ METRICS: '4000' }, 'METRICS must not be the same as PORT'],
    [
      { MTLS_PORT: '4000', TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k', MTLS_CA_FILE: 'a' },
      'MTLS_PORT must not be the same as PORT',
    ],
  ])('settings that contradict each other are refused: %o', (environment, problem) => {
    expect(problemsOf(environment)).toEqual([expect.stringContaining(problem)]);
  });

  /** A database for several processes. */
  const POSTGRES = { DATABASE_URL: 'postgres://localhost/portico' };

  test.each([
    ['DEMO', (config: Config) => config.demo],
    ['PORT_SHARING', (config: Config) => config.http.sharesPort],
    ['COMPRESSION', (config: Config) => config.http.compression],
    ['DATABASE_PREPARE', (config: Config) => config.database.prepare],
    ['WEBHOOK_ALLOW_LOOPBACK', (config: Config) => config.webhooks.allowLoopback],
    ['METRICS', (config: Config) => config.telemetry.metrics],
  ])('%s is a switch: on and 1, off and 0', (name, settingOf) => {
    const values = ['on', '1', 'off', '0'].map((value) =>
      settingOf(loadConfig({ ...POSTGRES, [name]: value })),
    );
    expect(values).toEqual([true, true, false, false]);
  });

  test.each([
    ['sk_test_abcdefghijklmnop'],
    ['whsec_not-valid'],
    ['whsec_4nJ2kQ8sVb1xWm7R,nothing'],
    ['whsec_4nJ2kQ8sVb1xWm7R,whsec_5nJ2kQ8sVb1xWm7R,whsec_6nJ2kQ8sVb1xWm7R'],
  ])('STRIPE_WEBHOOK_SECRET=%s is refused by its name, without the value', (value) => {
    const problems = problemsOf({ STRIPE_WEBHOOK_SECRET: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/STRIPE_WEBHOOK_SECRET must be whsec_ followed by/);
    expect(problems[0]).not.toContain(value);
  });

  test.each([{ HEADERS_TIMEOUT: '30001' }, { REQUEST_TIMEOUT: '9999' }])(
    'a request may not take less time than its headers: %o',
    (environment) => {
      expect(problemsOf(environment)).toEqual([
        expect.stringMatching(/REQUEST_TIMEOUT \(\d+\) must not be below HEADERS_TIMEOUT \(\d+\)$/),
      ]);
    },
  );

  test.each(['', '0', '1', '9'])('CLIENT_CERT_HEADER needs addresses, not TRUST_PROXY=%j', (value) => {
    for (const CLIENT_CERT_HEADER of ['rfc9440', 'nginx', 'xfcc']) {
      expect(problemsOf({ CLIENT_CERT_HEADER, TRUST_PROXY: value })).toEqual([
        expect.stringContaining('CLIENT_CERT_HEADER needs the addresses of the proxies in TRUST_PROXY'),
      ]);
      expect(problemsOf({ CLIENT_CERT_HEADER, TRUST_PROXY: '10.0.0.0/8' })).toEqual([]);
    }
  });

  test('all invalid values are reported together', () => {
    const bad = {
      PORT: 'x',
      PUBLIC_URL: 'x',
      DATABASE_URL: 'x',
      DATABASE_POOL: 'x',
      REDIS_URL: 'x',
      DEMO: 'x',
      LOG_LEVEL: 'x',
      TRUST_PROXY: 'x',
      NODE_ENV: 'production',
    };
    const named = problemsOf(bad).map((problem) => /^ {2}- (\w+) /.exec(problem)?.[1]);
    const { NODE_ENV: _, ...settings } = bad;
    expect(named.toSorted()).toEqual(['AUTH_KEYS_FILE', ...Object.keys(settings)].toSorted());
  });

  describe('in production', () => {
    test('the key file must be set', () => {
      expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
        expect.stringContaining('AUTH_KEYS_FILE is required'),
      ]);
      expect(problemsOf({ NODE_ENV: 'production', AUTH_KEYS_FILE: ' ' })).toHaveLength(1);
    });

    test('webhooks cannot have receivers on the machine of the server', () => {
      const production = { NODE_ENV: 'production', AUTH_KEYS_FILE: '/etc/keys.json' };
      expect(problemsOf({ ...production, WEBHOOK_ALLOW_LOOPBACK: '1' })).toEqual([
        expect.stringContaining('WEBHOOK_ALLOW_LOOPBACK must not be set'),
      ]);
    });

    test('there is no demo data, even if requested', () => {
      const config = loadConfig({ NODE_ENV: 'production', AUTH_KEYS_FILE: '/etc/keys.json', DEMO: '1' });
      expect(config).toMatchObject({ production: true, demo: false, auth: { keysFile: '/etc/keys.json' } });
    });
  });

  test.each(WITH_PASSWORDS)('no message shows a password in %s', (name) => {
    for (const value of [
      'mysql://portico:hunter2@db/portico',
      // A file .env ends this value at the #, unless it is in quotes.
      'postgres://portico:hunter2',
      'portico:hunter2@db/portico',
      'host=db user=portico password=hunter2',
      'db:6379,password=hunter2',
    ]) {
      const problems = problemsOf({ DATABASE_URL: 'postgres://db/portico', [name]: value });
      expect(problems, value).toHaveLength(1);
      expect(problems.join()).not.toContain('hunter2');
    }
  });

  test.each(['prod', 'Production', 'PRODUCTION', 'prodution'])('NODE_ENV=%s is not production', (value) => {
    expect(problemsOf({ NODE_ENV: value })).toEqual([
      `  - NODE_ENV must be written production, not "${value}"`,
    ]);
  });

  test.each([
    ['postgres://portico@db:5432/portico', 'postgres://portico@db:5432/portico'],
    ['file:portico.db', 'file:portico.db'],
    ['postgres://portico:hunter2@db/portico', 'postgres://portico@db/portico'],
    ['postgres://portico:h@nter2@db/portico', 'postgres://portico@db/portico'],
    ['postgres://portico:h@nt/er2@db/portico', 'postgres://portico@db/portico'],
    ['postgres://por/tico:hunter2@db/portico', 'postgres://por/tico@db/portico'],
    ['postgres://portico@azure:hunter2@db/portico', 'postgres://portico@azure@db/portico'],
    [
      'postgres://db/portico?user=portico&password=hunter2&ssl=1',
      'postgres://db/portico?user=portico&password=&ssl=1',
    ],
    ['postgres://db/portico?password=hun,ter2&ssl=1', 'postgres://db/portico?password=&ssl=1'],
    ['postgres://db/portico?password=hun#ter2', 'postgres://db/portico?password='],
    ['postgres://one/x,postgres://b:hunter2@two/x', 'postgres://one/x,postgres://b@two/x'],
    ['postgres://one/x?password=hunter2,postgres://two/x', 'postgres://one/x?password=,postgres://two/x'],
    [
      'redis+sentinel://:hunter2@a:1,b:2/main?sentinelPassword=hunter2',
      'redis+sentinel://@a:1,b:2/main?sentinelPassword=',
    ],
    ['postgres://a:hunter2@one/x,postgres://b:hunter2@two/x', 'postgres://a@one/x,postgres://b@two/x'],
  ])('%s is shown without its password', (url, shown) => {
    expect(withoutPassword(url)).toBe(shown);
  });
});
