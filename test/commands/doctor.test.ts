/** `portico doctor`: reports each fault with its remedy, and changes nothing. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyFile } from '../../src/auth/key-file.ts';
import { checkTls } from '../../src/cli/doctor/tls.ts';
import { examine } from '../../src/cli/doctor.ts';
import { loadConfig } from '../../src/config.ts';
import { DAY, MIB } from '../../src/core/limits.ts';
import type { TestDatabase } from '../support/databases.ts';
import { describeEachEngine, runsAllCases, type TestEngine } from '../support/engines.ts';
import { startMailServer, type TestMailServer } from '../support/mail-server.ts';
import { manageRedis, sharedRedis } from '../support/redis.ts';
import { Authority, type Issued } from '../support/tls.ts';
import { command } from './command.ts';

const directory = mkdtempSync(join(tmpdir(), 'portico-doctor-'));
const keysFile = join(directory, 'keys.json');
const authorityDirectory = mkdtempSync(join(tmpdir(), 'portico-doctor-ca-'));
let mail: TestMailServer;
let authority: Authority;
beforeAll(async () => {
  authority = await Authority.found(authorityDirectory);
  await createKeyFile(keysFile);
  mail = await startMailServer();
});
afterAll(async () => {
  await mail.close();
  rmSync(directory, { recursive: true });
  rmSync(authorityDirectory, { recursive: true });
});

type Settings = Record<string, string>;

/** A complete production installation. */
const sound = (url: string): Settings => ({
  NODE_ENV: 'production',
  DATABASE_URL: url,
  AUTH_KEYS_FILE: keysFile,
  PUBLIC_URL: 'https://api.example.com',
  TRUST_PROXY: '1',
  MAIL_URL: mail.url,
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_abc',
});

const tlsOf = ({ certFile, keyFile }: Pick<Issued, 'certFile' | 'keyFile'>): Settings => ({
  TLS_CERT_FILE: certFile,
  TLS_KEY_FILE: keyFile,
});

let serial = 0;
function fileWith(content: string, mode = 0o600): string {
  serial += 1;
  const file = join(directory, `${serial}.json`);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

const NOWHERE = '127.0.0.1:1';

const redis = manageRedis();

const userWith = (...rules: readonly string[]) => ['--user', 'default', 'on', 'nopass', ...rules];

/** Servers that respond to `ping`, the word of their refusal, and their options. */
const REFUSING: readonly (readonly [title: string, refusal: string, options: readonly string[]])[] = [
  ['without memory', 'OOM', ['--maxmemory', '1']],
  ['that is a replica', 'READONLY', ['--replicaof', NOWHERE.replace(':', ' ')]],
  ['without the budgets', 'NOPERM', userWith('~*', '&*', '+@all', '-eval')],
  ['without the keys', 'NOPERM', userWith('~other:*', '&*', '+@all')],
  ['without the counts', 'script', userWith('~*', '&*', '+@all', '-set')],
  ['without reading the counts', 'EXECABORT', userWith('~*', '&*', '+@all', '-get')],
  ['without deleting the counts', 'NOPERM', userWith('~*', '&*', '+@all', '-del')],
  ['without publishing', 'NOPERM', userWith('~*', '&*', '+@all', '-publish')],
  ['without the channel', 'NOPERM', userWith('~*', 'resetchannels', '+@all')],
  ['without subscribing', 'NOPERM', userWith('~*', '&*', '+@all', '-subscribe')],
];

/** A faulty setting, and the line about it. */
const SETTINGS: readonly (readonly [
  title: string,
  settings: () => Settings | Promise<Settings>,
  line: RegExp,
  advice: RegExp,
])[] = [
  [
    'an invalid value',
    () => ({ PORT: 'x', DEADLINE: '1' }),
    /^problem {2}settings +PORT must be/,
    /configuration\.md/,
  ],
  ['a misspelt name', () => ({ CORS_ORIGIN: '*' }), /^warning {2}settings +CORS_ORIGIN is not/, /Correct/],
  [
    'https without a trusted proxy',
    () => ({ TRUST_PROXY: '0' }),
    /^warning {2}proxy +.*TRUST_PROXY is 0/,
    /Set TRUST_PROXY/,
  ],
  ['no https', () => ({ PUBLIC_URL: 'http://api.test' }), /^warning {2}proxy .*in clear/, /TLS/],
  [
    'an address of this machine',
    () => ({ PUBLIC_URL: '' }),
    /^warning {2}proxy .*localhost:4000/,
    /URL that clients use/,
  ],
  [
    'an invalid proxy',
    () => ({ NODE_ENV: '', PUBLIC_URL: '' }),
    /^warning {2}proxy +TRUST_PROXY is 1/,
    /TRUST_PROXY=0/,
  ],
  [
    'https in development',
    () => ({ NODE_ENV: '' }),
    /^warning {2}settings .*NODE_ENV/,
    /NODE_ENV=production/,
  ],
  [
    'charges that move no money',
    () => ({ PAYMENTS: '' }),
    /^warning {2}settings .*sandbox/,
    /PAYMENTS=stripe/,
  ],
  [
    'an address of another machine',
    // Reserved for documentation (RFC 5737), so that no machine has it.
    () => ({ HOST: '192.0.2.1' }),
    /^problem {2}settings +HOST is 192\.0\.2\.1, where .*EADDRNOTAVAIL/,
    /0\.0\.0\.0/,
  ],
  [
    'an address in brackets',
    () => ({ HOST: '[::1]' }),
    /^problem {2}settings +HOST is \[::1\], where .*ENOTFOUND/,
    /0\.0\.0\.0/,
  ],
  ['no mail', () => ({ MAIL_URL: '' }), /^warning {2}mail +MAIL_URL is not set/, /Set MAIL_URL/],
  [
    'an unreachable mail server',
    () => ({ MAIL_URL: `smtp://me:hidden-word@${NOWHERE}` }),
    /^problem {2}mail +smtp:\/\/me@127\.0\.0\.1:1 cannot be used.*(ECONNREFUSED|ESOCKET)/,
    /MAIL_URL/,
  ],
  [
    'an unreachable Redis',
    () => ({ REDIS_URL: `redis://:hidden-word@${NOWHERE}` }),
    /^problem {2}redis +redis:\/\/@127\.0\.0\.1:1 does not respond.*ECONNREFUSED/,
    /REDIS_URL/,
  ],
  [
    'no key file',
    () => ({ AUTH_KEYS_FILE: join(directory, 'none', 'keys.json') }),
    /^problem {2}keys .*does not exist/,
    /portico keys create/,
  ],
  [
    'a key file that cannot be reached',
    () => ({ AUTH_KEYS_FILE: join(keysFile, 'keys.json') }),
    /^problem {2}keys .*cannot be read: ENOTDIR/,
    /restore your copy/,
  ],
  [
    'a key file that cannot be reached, of a server that creates missing ones',
    () => ({
      AUTH_KEYS_FILE: join(keysFile, 'keys.json'),
      NODE_ENV: '',
      PUBLIC_URL: 'http://localhost:4000',
      TRUST_PROXY: '0',
    }),
    /^problem {2}keys .*cannot be read: ENOTDIR/,
    /restore your copy/,
  ],
  [
    'a database file that cannot be reached',
    () => ({ DATABASE_URL: `file:${join(keysFile, 'portico.db')}` }),
    /^problem {2}database .*cannot be read: ENOTDIR/,
    /write access to the file and its folder/,
  ],
  [
    'an invalid key file',
    () => ({ AUTH_KEYS_FILE: fileWith('{"keys":[]}') }),
    /^problem {2}keys .*1 to 64/,
    /restore your copy/,
  ],
  [
    'a key file readable by all',
    () => ({ AUTH_KEYS_FILE: fileWith(readFileSync(keysFile, 'utf8'), 0o604) }),
    /^problem {2}keys .*every user/,
    /chmod 600 .*rotate/,
  ],
  [
    'a key file readable by its group',
    () => ({ AUTH_KEYS_FILE: fileWith(readFileSync(keysFile, 'utf8'), 0o640) }),
    /^warning {2}keys .*the group/,
    /chmod 600/,
  ],
  [
    'no manifest of trusted documents',
    () => ({ TRUSTED_DOCUMENTS: 'only', TRUSTED_DOCUMENTS_FILE: join(directory, 'none.json') }),
    /^problem {2}documents .*none\.json cannot be used: ENOENT/,
    /npm run trusted-documents/,
  ],
  [
    'an invalid manifest of trusted documents',
    () => ({ TRUSTED_DOCUMENTS: 'prefer', TRUSTED_DOCUMENTS_FILE: fileWith('{') }),
    /^problem {2}documents .*The manifest is not JSON/,
    /npm run trusted-documents/,
  ],
  [
    'a certificate that has expired',
    async () => tlsOf(await authority.issue({ names: 'DNS:api.example.com', isExpired: true })),
    /^problem {2}tls .*expired on 20/,
    /Renew it/,
  ],
  [
    'an expired certificate revocation list',
    async () => {
      await authority.publishRevoked(undefined, 0);
      return {
        ...tlsOf(await authority.issue({ names: 'DNS:api.example.com' })),
        MTLS_PORT: '4443',
        MTLS_CA_FILE: authority.caFile,
        MTLS_CRL_FILE: authority.crlFile,
      };
    },
    /^problem {2}tls .*crl\.pem expired on 20.*all client certificates/,
    /Replace it/,
  ],
  [
    'an authority without a certificate revocation list',
    async () => {
      const place = mkdtempSync(join(authorityDirectory, 'unlisted-'));
      const unlisted = await Authority.found(place, 'Unlisted authority');
      await authority.publishRevoked();
      return {
        ...tlsOf(await authority.issue({ names: 'DNS:api.example.com' })),
        MTLS_PORT: '4443',
        MTLS_CA_FILE: fileWith(`${await authority.ca()}${await unlisted.ca()}`),
        MTLS_CRL_FILE: authority.crlFile,
      };
    },
    /^problem {2}tls .*crl\.pem has no list of the authority "CN=Unlisted authority"/,
    /Add its list/,
  ],
  [
    'a certificate for another name',
    async () => tlsOf(await authority.issue({ names: 'DNS:other.example.com' })),
    /^warning {2}tls .*is not valid for api\.example\.com/,
    /Get one for this name/,
  ],
  [
    "a certificate with another certificate's key",
    async () => {
      const names = 'DNS:api.example.com';
      const { keyFile } = await authority.issue({ names });
      return tlsOf({ ...(await authority.issue({ names })), keyFile });
    },
    /^problem {2}tls .*cannot be used: .*(mismatch|key values)/,
    /belongs to the certificate/,
  ],
  [
    "a certificate's key readable by all",
    async () => {
      const issued = await authority.issue({ names: 'DNS:api.example.com' });
      chmodSync(issued.keyFile, 0o644);
      return tlsOf(issued);
    },
    /^problem {2}tls .*\.key can be read by every user/,
    /chmod 600/,
  ],
  [
    'an unreachable replica',
    () => ({ DATABASE_REPLICA_URLS: `postgres://me:hidden-word@${NOWHERE}/x` }),
    /^warning {2}replica +postgres:\/\/me@127\.0\.0\.1:1\/x is not reachable/,
    /DATABASE_REPLICA_URLS/,
  ],
];

/** Everything that could be changed: the files of the settings, and those beside a database file. */
function traces(place: TestDatabase): unknown {
  const content = (file: string) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')];
  const listed = readdirSync(directory).map((name) => content(join(directory, name)));
  if (!place.url.startsWith('file:')) return listed;
  const file = place.url.slice('file:'.length);
  const beside = readdirSync(dirname(file)).filter((name) => name.startsWith(basename(file)));
  // The index of the log records its readers.
  return [listed, beside, existsSync(file) && content(file)];
}

describeEachEngine('portico doctor', (engine) => {
  async function examined(place: TestDatabase, settings: Settings) {
    const environment = { ...sound(place.url), ...settings };
    const before = traces(place);
    const result = await command(['doctor'], { environment });
    expect(traces(place)).toEqual(before);
    expect(result.out + result.err).not.toContain('hidden-word');
    return result;
  }

  test('reports no fault for a healthy installation, also beside a running server', async ({ skip }) => {
    const all = { REDIS_URL: sharedRedis(skip) };
    const place = await engine.create('migrated');
    for (const isOpen of engine.concurrent ? [false, true] : [false]) {
      const database = isOpen ? await place.open() : undefined;
      await database?.ping();
      const { code, out, err } = await examined(place, all);
      await database?.close();
      expect([code, err]).toEqual([0, '']);
      const checks = ['settings', 'proxy', 'keys', 'database', 'migrations'];
      const own = engine.name === 'sqlite' ? 'disk' : 'clock';
      expect(out.split('\n').map((line) => line.slice(0, 21).trim().split(/ +/))).toEqual(
        [...checks, own, 'redis', 'mail'].map((check) => ['ok', check]).concat([['']]),
      );
    }
  });

  // Only PostgreSQL has replicas.
  const settingsHere = SETTINGS.filter(([title]) => engine.name === 'postgres' || !title.includes('replica'));

  test.each(settingsHere)('reports %s', async (_title, settings, line, advice) => {
    const given = await settings();
    const { code, out, err } = await examined(engine.place, given);
    const lines = out.split('\n');
    const at = lines.findIndex((text) => line.test(text));
    expect(lines[at], out).toMatch(line);
    expect(lines[at + 1]).toMatch(/^ +-> /);
    expect(lines[at + 1]).toMatch(advice);
    const isProblem = line.source.startsWith('^problem');
    expect(code).toBe(isProblem ? 1 : 0);
    expect(err).toMatch(isProblem ? /^There (is a problem|are \d+ problems)\.\n$/ : /^$/);
    // The other settings are valid.
    expect(lines.filter((text) => /^(warning|problem)/.test(text))).toHaveLength('PORT' in given ? 2 : 1);
  });

  for (const [title, refusal, options] of runsAllCases(engine) ? REFUSING : []) {
    test(`reports a Redis ${title}`, async ({ skip }) => {
      const { url } = await redis.start(skip, ...options);
      const { code, out } = await examined(engine.place, { REDIS_URL: url });
      const found = new RegExp(
        `^problem {2}redis +${url} refuses commands of a server: .*${refusal}.*\\n +-> .*master`,
        'm',
      );
      expect(out).toMatch(found);
      expect(code).toBe(1);
    });
  }

  test('recognises a server with its own TLS', async () => {
    const issued = await authority.issue({ names: 'DNS:api.example.com' });
    const { code, out } = await examined(engine.place, { ...tlsOf(issued), TRUST_PROXY: '0' });
    expect(code).toBe(0);
    expect(out).toMatch(/^ok +proxy +no proxy is in front$/m);
    expect(out).toMatch(/^ok +tls .* is valid for api\.example\.com until 20/m);
    expect(out).not.toMatch(/^(warning|problem)/m);
  });

  const DATABASES: Readonly<
    Record<string, readonly [(engine: TestEngine) => Promise<TestDatabase>, RegExp]>
  > = {
    'without tables': [
      ({ create }) => create('bare'),
      /^problem {2}migrations +migrations that the database lacks: \d+\n +-> Run "npx portico migrate"/m,
    ],
    'that cannot be read': [
      async (made) => {
        const place = await made.create('bare');
        if (made.name === 'postgres') return { ...place, url: `postgres://me:hidden-word@${NOWHERE}/x` };
        writeFileSync(place.url.slice('file:'.length), 'nothing of the kind');
        return place;
      },
      /^problem {2}database .*cannot be read: .*(ECONNREFUSED|not a database).*\n +-> /m,
    ],
  };

  test('warns of a database of a newer version, beside which the previous one may run, as does a migration', async () => {
    const place = await engine.create('migrated');
    const migrate = () => command(['migrate'], { environment: sound(place.url) });
    expect(await migrate()).toMatchObject({ code: 0, out: expect.stringMatching(/ is up to date\.\n$/) });
    const table = engine.name === 'sqlite' ? '__drizzle_migrations' : 'drizzle.__drizzle_migrations';
    await place.query(`update ${table} set created_at = created_at + 100000000000`);
    const { code, out } = await examined(place, {});
    expect(code).toBe(0);
    expect(out).toMatch(
      /^warning +migrations +a newer version has migrated.*\n +-> Only the version before/m,
    );
    const migrated = / is up to date\. A newer version has migrated it\.\n$/;
    expect(await migrate()).toMatchObject({ code: 0, out: expect.stringMatching(migrated) });
  });

  test.each(Object.entries(DATABASES))('reports a database %s', async (_title, [make, said]) => {
    const { code, out } = await examined(await make(engine), {});
    expect([code, out]).toEqual([1, expect.stringMatching(said)]);
  });

  engine.testConcurrent('reports a database that refuses writes', async (skip) => {
    const place = await engine.create('migrated');
    if (engine.name === 'postgres') {
      await place.query(
        `alter database ${new URL(place.url).pathname.slice(1)} set default_transaction_read_only = on`,
      );
    } else {
      skip(process.getuid?.() === 0, 'no permission stops the superuser');
      chmodSync(fileURLToPath(place.url), 0o400);
    }
    const { code, out } = await examined(place, {});
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^problem {2}database .*is read-only: .*\n +-> /m),
    ]);
  });

  /** Milliseconds of clock skew, or free bytes of the disk. */
  const SURROUNDINGS: readonly (readonly ['clock' | 'disk', number, string])[] =
    engine.name === 'sqlite'
      ? [
          ['disk', 50 * MIB, 'problem'],
          ['disk', 500 * MIB, 'warning'],
          ['disk', 5000 * MIB, 'ok'],
        ]
      : [
          ['clock', -120_000, 'problem'],
          ['clock', 120_000, 'problem'],
          ['clock', 20_000, 'warning'],
          ['clock', 0, 'ok'],
        ];

  test.each(SURROUNDINGS)('%s at %d is %s', async (check, amount, status) => {
    const findings = await examine(sound(engine.place.url), {
      now: () => Date.now() + (check === 'clock' ? amount : 0),
      freeBytes: async () => (check === 'disk' ? amount : Number.MAX_SAFE_INTEGER),
    });
    expect(findings.find((finding) => finding.check === check)).toMatchObject({ status });
  });

  test('writes JSON for programs', async () => {
    const environment = { ...sound(engine.place.url), TRUST_PROXY: '0' };
    const { code, out } = await command(['doctor', '--json'], { environment });
    expect(code).toBe(0);
    const findings = JSON.parse(out);
    expect(findings).toContainEqual({ status: 'ok', check: 'redis', found: expect.any(String) });
    expect(findings).toContainEqual({
      status: 'warning',
      check: 'proxy',
      found: expect.any(String),
      advice: expect.any(String),
    });
  });
});

test('portico doctor reports an expired authority for certificates that a proxy forwards', async () => {
  const settings = { CLIENT_CERT_HEADER: 'rfc9440', TRUST_PROXY: '10.0.0.1', MTLS_CA_FILE: authority.caFile };
  const subject = { config: loadConfig(settings), environment: settings, freeBytes: async () => 0 };
  expect(await checkTls({ ...subject, now: Date.now })).toEqual([]);
  expect(await checkTls({ ...subject, now: () => Date.now() + 1000 * 365 * DAY })).toMatchObject([
    {
      status: 'problem',
      found: expect.stringMatching(/expired on .* client certificates of this authority are refused/),
    },
  ]);
});
