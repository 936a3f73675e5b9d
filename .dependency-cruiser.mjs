import { readdirSync } from 'node:fs';

/** Which folder may import from which, from the outermost to the innermost. `npm run lint` checks it; "Imports" in ARCHITECTURE.md draws it. */
const MAY_IMPORT = {
  'src/cli':
    'main app config rest graphql pipeline webhooks payments mail auth events rate-limit db cluster observability core',
  'src/http': 'config rest subscriptions pipeline graphql auth rate-limit db cluster observability core',
  'src/rest': 'subscriptions pipeline graphql events core',
  'src/subscriptions': 'pipeline graphql auth events rate-limit db cluster observability core',
  'src/pipeline':
    'graphql resolvers/shared payments auth idempotency rate-limit db cluster observability core',
  'src/graphql': 'generated/resources resolvers/shared events/catalogue idempotency auth observability core',
  resolvers: 'webhooks payments mail idempotency rate-limit auth events db generated/resolvers core',
  'resolvers/[^/]+/events[.]ts': 'events/declare db/tables core', // Whatever records an event reads them.
  'src/generated': 'db resolvers',
  'src/jobs': 'payments db core',
  'src/mail': 'auth events db observability core',
  'src/webhooks': 'events cluster db observability core',
  'src/payments': 'events db core',
  'src/auth': 'events rate-limit db core',
  'src/idempotency': 'db core',
  'src/events': 'generated/events generated/visibility db core',
  'src/rate-limit': 'cluster core',
  'src/cluster': 'db observability core',
  'src/db': 'generated/tables generated/visibility observability core',
  'src/observability': 'core',
  'src/core': '',
};

for (const { name } of readdirSync('src', { withFileTypes: true }).filter((it) => it.isDirectory()))
  if (!(`src/${name}` in MAY_IMPORT)) throw new Error(`src/${name} has no rule.`);

/** Packages that only one folder imports. */
const OWNERS = {
  'src/http': '@modelcontextprotocol/server|fastify|@apollo/server|@fastify/.+|ws',
  'src/db': 'drizzle-orm|pg|better-sqlite3',
  'src/payments': 'stripe',
  'src/mail': 'nodemailer',
  'src/cluster': 'ioredis',
};

/** Files that record events which no caller causes. Changes by callers go through `recordChange`, which checks their permissions. */
const RECORDERS =
  'src/(auth/(changes|sessions|refresh-rotation|password-changes|invitations|apps/.+)|webhooks/outcomes|payments/settling|cli/product-import)[.]ts';

const INSIDE = '^(src|resolvers)/';
const COMPILES = '^src/cli/compile[.]ts$'; // Loads everything, so that Node keeps it compiled.

const forbid = (name, from, to) => ({ name, severity: 'error', from, to });
const outside = (path) => ({ path: INSIDE, pathNot: [`^${path}`, COMPILES] });
const valuesOf = (path) => ({ path: `^${path}$`, dependencyTypesNot: ['type-only'] });

const rule = ([folder, others]) => {
  const pathNot = `^(${folder}|(src/)?(${others.replaceAll(' ', '|')}))(/|[.]ts$)`;
  return forbid(folder, { path: `^${folder}(/|$)`, pathNot: COMPILES }, { path: INSIDE, pathNot });
};
const ownerRule = ([folder, packages]) =>
  forbid(`packages of ${folder}`, outside(`${folder}/`), { path: `^node_modules/(@types/)?(${packages})/` });

export default {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(rule),
    ...Object.entries(OWNERS).map(ownerRule),
    forbid('callers change through recordChange', outside(RECORDERS), valuesOf('src/events/record[.]ts')),
    forbid('settings are passed on', outside('src/(main|cli/.+)[.]ts'), valuesOf('src/config[.]ts')),
    forbid('packages of development', {}, { dependencyTypes: ['npm-dev'] }),
    forbid('no circle', {}, { circular: true, viaOnly: { pathNot: '^src/generated/' } }),
    // The lists of what resources declare are in circles with types of the folders that read them.
    forbid('no circle of values', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    forbid('resolvable', { path: '[.]ts$' }, { couldNotResolve: true }),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
