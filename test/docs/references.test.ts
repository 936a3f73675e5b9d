/** The references of events and errors match the catalogues exactly, and the guides name existing files. */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { auditPage, errorsPage, eventsPage, scalingPage, tablesPlaced } from '../../codegen/references.ts';
import { ROLE_SCOPES, SCOPES } from '../../src/auth/policy.ts';
import { CATALOGUE } from '../../src/core/errors.ts';
import { ROLES } from '../../src/core/roles.ts';
import { AUDIT_ONLY_TYPES } from '../../src/events/audit.ts';
import { EVENT_CATALOGUE, EVENT_TYPES } from '../../src/events/catalogue.ts';
import { api } from '../support/api.ts';
import { ROOT } from '../support/process.ts';
import { GUIDES } from './guides.ts';

const firstCells = (page: string) => [...page.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name]) => name);

test.each([
  ['docs/events.md', eventsPage],
  ['docs/errors.md', errorsPage],
  ['docs/audit.md', auditPage],
  ['docs/scaling.md', scalingPage],
])('%s is up to date: `npm run codegen` writes it', (path, page) => {
  const written = readFileSync(join(ROOT, path), 'utf8');
  expect(written).toBe(page(written));
});

test('every event and every error has its own line', () => {
  for (const type of EVENT_TYPES) {
    expect(eventsPage()).toContain(`\n| \`${type}\` | \`${EVENT_CATALOGUE[type].scope}\` |`);
  }
  expect(firstCells(errorsPage())).toEqual(Object.keys(CATALOGUE));
});

test('docs/scaling.md distributes each table of organisations', () => {
  const page = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
  const distributed = [...page.matchAll(/^select create_distributed_table\('(\w+)', 'org'/gm)];
  expect(distributed.map(([, name]) => name)).toEqual(tablesPlaced('tenant'));
  expect(tablesPlaced('tenant')).toEqual(
    expect.arrayContaining(['orders', 'order_items', 'search_products']),
  );
});

test('docs/audit.md lists each type of the audit log that is not an event', () => {
  const types = firstCells(readFileSync(join(ROOT, 'docs/audit.md'), 'utf8'));
  expect(types).toEqual(expect.arrayContaining([...AUDIT_ONLY_TYPES]));
  expect(types.filter((type) => EVENT_TYPES.some((each) => each === type))).toEqual([]);
});

test('docs/authentication.md lists each scope with the roles that have it', () => {
  const page = readFileSync(join(ROOT, 'docs/authentication.md'), 'utf8');
  const [, table = ''] =
    /\n\| scope \| viewer \| editor \| administrator \|\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const listed = table.split('\n').flatMap((line) => {
    const [, scopes = '', ...cells] = line.split('|').map((cell) => cell.trim());
    const roles = ROLES.filter((_role, index) => cells[index] === 'yes');
    return [...scopes.matchAll(/`([\w:-]+)`/g)].map(([, scope = '']) => [scope, roles]);
  });
  const declared = SCOPES.map((scope) => [scope, ROLES.filter((role) => ROLE_SCOPES[role].has(scope))]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(declared));
});

/** Files that commands of the guides create, and the programs of a reader. */
const OF_READERS = [
  'data/',
  'data/keys.json',
  'receiver.mjs',
  'relay.config.json',
  'trusted-documents.json',
  ...['schema/supplier.graphql', 'rest/v1/suppliers.graphql', 'test/access/supplier.ts'],
  ...['src/db/tables/suppliers.ts', 'src/db/queries/suppliers.ts', 'test/scenarios/suppliers.test.ts'],
  ...['resolvers/supplier/resolvers.ts', 'resolvers/supplier/events.ts'],
];

/** The name of a file or, with a slash at its end, of a folder; `<resource>` stands for any name. */
const FILE_NAME =
  /`(?:\.\.\/)*((?:[\w.<>-]+\/)*[\w.<>-]+(?:\.(?:ts|mjs|cjs|js|graphql|json|md|yaml|yml|sql|css|conf|sh|svg|png)|\/))`/g;

/** All paths, each with a slash before it, and at the end of folders. */
const PATHS = globSync(['**', '.*'], {
  cwd: ROOT,
  withFileTypes: true,
  exclude: ({ name }) => ['node_modules', '.git', 'data'].includes(name),
})
  .map(
    (entry) => `${join('/', relative(ROOT, entry.parentPath), entry.name)}${entry.isDirectory() ? '/' : ''}`,
  )
  .join('\n');

test.each(GUIDES)('the files that %s names in code style exist', (guide) => {
  const named = [...readFileSync(join(ROOT, guide), 'utf8').matchAll(FILE_NAME)].map(([, name = '']) => name);
  const missing = named.filter((name) => {
    const parts = name.split(/<\w+>/).map(RegExp.escape);
    return !OF_READERS.includes(name) && !new RegExp(`/${parts.join('[^/\\n]+')}$`, 'm').test(PATHS);
  });
  expect(missing).toEqual([]);
});

test('every event is a message of webhooks in OpenAPI', () => {
  expect(Object.keys(api.openApi().webhooks)).toEqual(EVENT_TYPES);
});
