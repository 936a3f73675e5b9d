import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { command } from './command.ts';

const directory = mkdtempSync(join(tmpdir(), 'portico-commands-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** An empty database, and a missing key file. */
const environment = {
  DATABASE_URL: `file:${join(directory, 'empty.db')}`,
  AUTH_KEYS_FILE: join(directory, 'none.json'),
};

writeFileSync(join(directory, 'empty.db'), '');

const NOT_MIGRATED = /^The database is not up to date\. Run "npx portico migrate" first\.$/m;
const UNREACHABLE = 'postgres://localhost:1/none';
const USER = ['--org', 'acme', '--email', 'eve@acme.test', '--name', 'Eve'];
const PRODUCT = ['--org', 'acme', '--name', 'Lamp', '--unit-price', '19.99'];
const KEY = ['--owner', 'ada@acme.test', '--name', 'ci', '--scopes', 'read:orders'];

/** Each command, a word of its help, and invalid uses with their message and exit code. */
const COMMANDS: readonly {
  readonly args: readonly string[];
  readonly help: RegExp;
  readonly errors: readonly (readonly [
    args: readonly string[],
    code: number,
    said: RegExp,
    settings?: Record<string, string>,
  ])[];
}[] = [
  {
    args: [],
    help: /serve .*migrate .*doctor .*healthcheck .*seed .*org .*user .*product .*api-key .*keys .*webhook .*listen .*trigger .*openapi .*schema /s,
    errors: [
      [['frobnicate'], 2, /unknown command 'frobnicate'/],
      [['--frobnicate'], 2, /unknown option '--frobnicate'/],
      [[], 2, /Usage: portico/],
    ],
  },
  {
    args: ['serve'],
    help: /SIGTERM and SIGINT stop it.*Environment: PORT, HOST, DATABASE_URL/s,
    errors: [
      [['--port', '80'], 2, /unknown option '--port'/],
      [['now'], 2, /too many arguments/],
    ],
  },
  {
    args: ['migrate'],
    help: /Create the database or apply/,
    errors: [
      [['now'], 2, /too many arguments/],
      [[], 1, /DATABASE_URL must begin with file: or postgres:/, { DATABASE_URL: 'mysql://x' }],
      [[], 1, /The database postgres:.* cannot be used .*ECONNREFUSED/, { DATABASE_URL: UNREACHABLE }],
    ],
  },
  {
    args: ['doctor'],
    help: /With a problem the exit code is 1/,
    errors: [
      [['now'], 2, /too many arguments/],
      [['--fix'], 2, /unknown option '--fix'/],
    ],
  },
  {
    args: ['healthcheck'],
    help: /The exit code is 0 if it can, otherwise 1/,
    errors: [
      [['now'], 2, /too many arguments/],
      [['--fix'], 2, /unknown option '--fix'/],
    ],
  },
  {
    args: ['seed'],
    help: /--orders <number>/,
    errors: [
      [[], 2, /required option '--orders <number>' not specified/],
      [['--orders', '0'], 2, /must be a whole number from 1 to 10000000/],
      [['--orders', 'many'], 2, /must be a whole number/],
      [
        ['--orders', '1'],
        1,
        /The database postgres:.* cannot be used .*ECONNREFUSED/,
        { DATABASE_URL: UNREACHABLE },
      ],
    ],
  },
  {
    args: ['org'],
    help: /add .*list /s,
    errors: [
      [[], 2, /Usage: portico org/],
      [['sell'], 2, /unknown command 'sell'/],
    ],
  },
  {
    args: ['org', 'add'],
    help: /--name <name>/,
    errors: [
      [['acme'], 2, /required option '--name <name>' not specified/],
      [['acme', '--name', 'Acme'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['org', 'list'],
    help: /--json/,
    errors: [
      [['acme'], 2, /too many arguments/],
      [[], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['user'],
    help: /add .*list .*invite .*set-role .*set-password .*remove /s,
    errors: [
      [[], 2, /Usage: portico user/],
      [['rename'], 2, /unknown command 'rename'/],
    ],
  },
  {
    args: ['user', 'add'],
    help: /--password-stdin .*other\s+users\s+cannot\s+see\s+it/s,
    errors: [
      [USER, 2, /required option '--role <role>' not specified/],
      [[...USER, '--role', 'boss'], 2, /Allowed choices are viewer, editor, admin/],
      [[...USER, '--role', 'admin', '--password', 'x'], 2, /unknown option '--password'/],
      [[...USER, '--role', 'admin', '--password-stdin'], 2, /Standard input has no password/],
      [[...USER, '--role', 'admin'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['user', 'list'],
    help: /--org <id>/,
    errors: [
      [[], 2, /required option '--org <id>' not specified/],
      [['--org', 'acme'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['user', 'invite'],
    help: /The link is shown once/,
    errors: [
      [['--org', 'acme', '--email', 'eve@acme.test'], 2, /required option '--role <role>' not specified/],
      [['--org', 'acme', '--email', 'eve@acme.test', '--role', 'boss'], 2, /Allowed choices are viewer/],
      [['--org', 'acme', '--email', 'eve@acme.test', '--role', 'viewer'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['user', 'set-role'],
    help: /choices: "viewer",\s+"editor",\s+"admin"/,
    errors: [
      [['eve@acme.test'], 2, /missing required argument 'role'/],
      [['eve@acme.test', 'boss'], 2, /Allowed choices are viewer, editor, admin/],
      [['eve@acme.test', 'admin'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['user', 'set-password'],
    help: /--password-stdin .*other\s+users\s+cannot\s+see\s+it/s,
    errors: [
      [[], 2, /missing required argument 'email'/],
      [['eve@acme.test', '--password-stdin'], 2, /Standard input has no password/],
      [['eve@acme.test'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['user', 'remove'],
    help: /<email>/,
    errors: [
      [[], 2, /missing required argument 'email'/],
      [['eve@acme.test'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['product'],
    help: /add .*list .*import /s,
    errors: [
      [[], 2, /Usage: portico product/],
      [['sell'], 2, /unknown command 'sell'/],
    ],
  },
  {
    args: ['product', 'add'],
    help: /--unit-price <decimal>/,
    errors: [
      [PRODUCT, 2, /required option '--currency <code>' not specified/],
      [[...PRODUCT, '--currency', 'USD', '--unit-price', 'cheap'], 2, /must be a number such as 19\.99/],
      [
        [...PRODUCT, '--currency', 'USD', '--unit-price', '12345678901234567.89'],
        2,
        /cannot be represented exactly/,
      ],
      [[...PRODUCT, '--currency', 'USD'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['product', 'list'],
    help: /active\s+products/,
    errors: [
      [[], 2, /required option '--org <id>' not specified/],
      [['--org', 'acme'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['product', 'import'],
    help: /name,unit_price,currency/,
    errors: [
      [['--org', 'acme'], 2, /missing required argument 'file'/],
      [['none.csv'], 2, /required option '--org <id>' not specified/],
      [['none.csv', '--org', 'acme'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['api-key'],
    help: /create .*list .*revoke /s,
    errors: [
      [[], 2, /Usage: portico api-key/],
      [['steal'], 2, /unknown command 'steal'/],
    ],
  },
  {
    args: ['api-key', 'create'],
    help: /read:orders,.*manage:webhooks/s,
    errors: [
      [KEY.slice(0, 4), 2, /required option '--scopes <list>' not specified/],
      // None of these is an instant, but JavaScript takes all except the first for one.
      ...['soon', '2027-02-31', '2027-01-01 12:00', '2027-01-01T12:00:00', '2027-01-01 (x)'].map(
        (time) => [[...KEY, '--expires-at', time], 2, /must be a date such as 2027-01-01/] as const,
      ),
      [KEY, 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['api-key', 'list'],
    help: /including revoked\s+and expired/,
    errors: [
      [[], 2, /required option '--org <id>' not specified/],
      [['--org', 'acme'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['api-key', 'revoke'],
    help: /<id>/,
    errors: [
      [[], 2, /missing required argument 'id'/],
      [['pk_1'], 2, /must be a whole number/],
      [['1'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['keys'],
    help: /rotate /,
    errors: [
      [[], 2, /Usage: portico keys/],
      [['turn'], 2, /unknown command 'turn'/],
    ],
  },
  {
    args: ['keys', 'rotate'],
    help: /--file <path>/,
    errors: [
      [['--file'], 2, /option '--file <path>' argument missing/],
      [[], 1, /none\.json cannot be found: ENOENT/],
    ],
  },
  {
    args: ['keys', 'create'],
    help: /if there is none/,
    errors: [
      [['now'], 2, /too many arguments/],
      [['--file', '/dev/null/keys.json'], 1, /EEXIST|ENOTDIR/],
    ],
  },
  {
    args: ['webhook'],
    help: /list .*deliveries .*test .*redeliver /s,
    errors: [
      [[], 2, /Usage: portico webhook/],
      [['send'], 2, /unknown command 'send'/],
    ],
  },
  {
    args: ['webhook', 'list'],
    help: /--org <id>/,
    errors: [
      [[], 2, /required option '--org <id>' not specified/],
      [['--org', 'acme'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['webhook', 'deliveries'],
    help: /newest\s+first/,
    errors: [
      [[], 2, /missing required argument 'id'/],
      [['1', '--limit', '101'], 2, /must be a whole number from 1 to 100/],
      [['1'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['webhook', 'test'],
    help: /regardless\s+of\s+its\s+event\s+types/,
    errors: [
      [[], 2, /missing required argument 'id'/],
      [['0'], 2, /must be a whole number from 1/],
      [['1'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['webhook', 'redeliver'],
    help: /same\s+webhook-id/,
    errors: [
      [['1'], 2, /missing required argument 'delivery'/],
      [['1', '1'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['backup'],
    help: /Servers\s+can\s+keep\s+running/,
    errors: [
      [[], 2, /missing required argument 'file'/],
      [['x.backup'], 1, /not a Portico database/],
    ],
  },
  {
    args: ['restore'],
    help: /empty database/,
    errors: [
      [[], 2, /missing required argument 'file'/],
      [['none.backup'], 1, /There is no file none\.backup/],
    ],
  },
  {
    args: ['listen'],
    help: /forward them/,
    errors: [
      [['--server', 'nowhere'], 2, /http or https/],
      [[], 2, /Pass an API key/],
    ],
  },
  {
    args: ['trigger'],
    help: /through\s+the\s+same\s+operations\s+as\s+clients/,
    errors: [
      [[], 2, /Name an event type/],
      [['--list', 'order.created'], 2, /either --list or event types/],
      [['order.sold'], 2, /There are no events of the type "order\.sold"/],
      [['order.created'], 1, NOT_MIGRATED],
    ],
  },
  {
    args: ['openapi'],
    help: /OpenAPI 3\.1/,
    errors: [
      [['--out'], 2, /option '--out <file>' argument missing/],
      [['--out', '/nowhere/openapi.json'], 1, /ENOENT/],
    ],
  },
  {
    args: ['schema'],
    help: /--out <file>/,
    errors: [
      [['--out'], 2, /option '--out <file>' argument missing/],
      [['--out', '/nowhere/schema.graphql'], 1, /ENOENT/],
    ],
  },
];

describe.each(COMMANDS.map((each) => ({ ...each, name: ['portico', ...each.args].join(' ') })))(
  '$name',
  ({ args, help, errors }) => {
    test('has a description in --help', async () => {
      const { code, out, err } = await command([...args, '--help'], { environment });
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatch(new RegExp(`^Usage: ${['portico', ...args].join(' ')}`));
      expect(out).toMatch(help);
    });

    test.each(errors.map(([more, code, said, settings = {}]) => ({ more, code, said, settings })))(
      '$more fails with $code and a reason',
      async ({ more, code, said, settings }) => {
        const result = await command([...args, ...more], { environment: { ...environment, ...settings } });
        expect(result.err).toMatch(said);
        expect([result.code, result.out]).toEqual([code, '']);
        expect(result.err).not.toMatch(/^ +at /m);
      },
    );
  },
);

test.each(
  COMMANDS.flatMap(({ args, errors }) =>
    errors.filter(([, , said]) => said === NOT_MIGRATED).map(([more]) => [...args, ...more]),
  ),
)('%s %s does not create a database whose path is mistyped', async (...args) => {
  const folder = join(directory, 'mistyped');
  const settings = { ...environment, DATABASE_URL: `file:${join(folder, 'portico.db')}` };
  const { code, err } = await command(args, { environment: settings });
  expect([code, err]).toEqual([1, expect.stringContaining('Check DATABASE_URL')]);
  expect(existsSync(folder)).toBe(false);
});

test('these are all commands of --help', async () => {
  const { out } = await command(['--help'], { environment });
  const listed = [...out.matchAll(/^ {2}(\w[\w-]*) /gm)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(COMMANDS.flatMap(({ args }) => args.slice(0, 1))));
});

test('all invalid settings are reported together', async () => {
  const settings = { ...environment, PORT: 'x', LOG_LEVEL: 'loud' };
  const { code, err } = await command(['migrate'], { environment: settings });
  expect(code).toBe(1);
  expect(err).toMatch(/PORT must be.*LOG_LEVEL must be/s);
});
