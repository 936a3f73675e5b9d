import { readdirSync } from 'node:fs';

/** Who may import from whom, from the top of the house to the bottom. `npm run lint` checks it; ARCHITECTURE.md draws it. */
const MAY_IMPORT = {
  'src/cli': ['src/(main|api|config|graphql|pipeline|webhooks|auth|rate-limit|db|observability|core)'],
  'src/http': [
    'src/(config|rest|subscriptions|pipeline|graphql|auth|rate-limit|db|cluster|observability|core)',
  ],
  'src/rest': ['src/(subscriptions|pipeline|graphql|events|core)'],
  'src/subscriptions': ['src/(pipeline|graphql|auth|events|rate-limit|db|cluster|observability|core)'],
  'src/pipeline': [
    'src/(graphql|payments|auth|idempotency|rate-limit|db|observability|core)',
    'resolvers/shared',
  ],
  'src/graphql': ['src/(generated/resources|idempotency|auth|observability|core)', 'resolvers/shared'],
  resolvers: ['src/(webhooks|payments|idempotency|auth|events|db|generated/resolvers|core)'],
  'resolvers/[^/]+/events[.]ts': ['src/events/declare', 'src/db/tables', 'src/core'], // Whatever records an event reads them.
  'src/generated': ['src/db', 'resolvers'],
  'src/jobs': ['src/(payments|db|core)'],
  'src/webhooks': ['src/(events|cluster|db|observability|core)'],
  'src/payments': ['src/(events|db|core)'],
  'src/auth': ['src/(events|rate-limit|db|core)'],
  'src/idempotency': ['src/(db|core)'],
  'src/events': ['src/(generated/(events|visibility)|db|core)'],
  'src/rate-limit': ['src/(cluster|core)'],
  'src/cluster': ['src/(db|core)'],
  'src/db': ['src/(generated/(tables|visibility)|observability|core)'],
  'src/observability': ['src/core'],
  'src/core': [],
};

for (const { name } of readdirSync('src', { withFileTypes: true }).filter((it) => it.isDirectory()))
  if (!(`src/${name}` in MAY_IMPORT)) throw new Error(`src/${name} has no rule.`);

/** Packages that one room alone imports. */
const OWNERS = {
  'src/http': ['fastify', '@as-integrations/fastify', '@apollo/server', '@fastify/.+', 'ws'],
  'src/db': ['drizzle-orm', 'pg', 'better-sqlite3'],
  'src/payments': ['stripe'],
  'src/cluster': ['ioredis'],
};

/** Files that record what no caller does. What callers change goes through `recordChange`, which checks their rights. */
const RECORDERS = 'src/(auth/(changes|sessions)|webhooks/outcomes|payments/settling)[.]ts';

const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

export default {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([room, others]) =>
      forbid(
        room,
        // It loads everything, so that Node keeps it compiled.
        { path: `^${room}(/|$)`, pathNot: '^src/cli/compile[.]ts$' },
        { path: '^(src|resolvers)/', pathNot: `^(${[room, ...others].join('|')})(/|[.]ts$)` },
      ),
    ),
    ...Object.entries(OWNERS).map(([room, packages]) =>
      forbid(
        `packages of ${room}`,
        { path: '^(src|resolvers)/', pathNot: `^${room}/` },
        { path: `^node_modules/(@types/)?(${packages.join('|')})/` },
      ),
    ),
    forbid(
      'events are recorded for callers that still have their rights',
      { path: '^(src|resolvers)/', pathNot: `^${RECORDERS}` },
      { path: '^src/events/record[.]ts$', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'settings are passed on',
      { path: '^src/', pathNot: '^src/(main|cli/.+)[.]ts$' },
      { path: '^src/config[.]ts$', dependencyTypesNot: ['type-only'] },
    ),
    forbid('packages of development', { pathNot: 'drizzle[.]config' }, { dependencyTypes: ['npm-dev'] }),
    forbid('no circle', {}, { circular: true, viaOnly: { pathNot: '^src/generated/' } }),
    forbid('resolvable', { path: '[.]ts$' }, { couldNotResolve: true }),
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
