/** The order of the house (ARCHITECTURE.md): who may import whom, and who alone may do what. */
import { posix } from 'node:path';
import { type Import, importsOf, readSource, type Source } from './source.ts';

/** Sources by their path from the root of the repository. */
export type Files = ReadonlyMap<string, string>;

/** From the top to the bottom: each may import from those below it, and none from those above or beside it. */
const RANKS: readonly (readonly string[])[] = [
  ['main'],
  ['app'],
  ['http'],
  ['rest'],
  ['graphql'],
  ['resolvers'],
  ['auth', 'events', 'housekeeping', 'idempotency', 'payments', 'demo'],
  ['db', 'budget'],
  ['config'],
  ['leaf'],
];

/** Beside each other, and still: what ends a session or moves money writes that into the log. */
const BESIDE = new Set(['auth -> events', 'payments -> events']);

/** Some are for one above alone, however far below it they stand. */
const ONLY_FROM: Readonly<Record<string, string>> = { config: 'main', demo: 'main' };

/**
 * Files that say what something looks like. Whoever is below them may import their types, and only with `import type`:
 * that is gone at run time, so no code depends on code above it. Resolvers are typed by the context that they are given,
 * and by what is generated from the SDL.
 */
const TYPES_FOR_ALL = /^src\/(graphql\/context\.ts|generated\/)/;

/** What is loaded of these packages, is loaded in these folders. */
const OWNERS: Readonly<Record<string, string>> = {
  fastify: 'src/http/',
  '@as-integrations/fastify': 'src/http/',
  'drizzle-orm': 'src/db/drizzle/',
  pg: 'src/db/',
  'better-sqlite3': 'src/db/',
  stripe: 'src/payments/',
  ioredis: 'src/redis.ts',
};

/** What the folder that owns drizzle hands on, only queries may take. */
const DRIZZLE = { folder: 'src/db/drizzle/', only: 'src/db/' };

/** A change by a caller goes through `recordChange`, which asks whether the caller may still make it. These record what is none. */
const RECORD = 'src/events/record.ts';
const RECORDING: ReadonlySet<string> = new Set([
  'src/auth/changes.ts',
  'src/auth/sessions.ts',
  'src/events/webhooks/outcomes.ts',
  // A charge is settled for the caller that began it, which was asked then.
  'src/payments/settling.ts',
]);

const ENVIRONMENT = /\bprocess\s*(\??\.\s*env\b|\[)/;

const SQL =
  /^\s*(select\s[\s\S]+\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\(|(create|alter|drop)\s+(table|index|unique|view|database)\s|pragma\s|truncate\s)/i;

/** SQL is written in one case or the other; a sentence for people has a capital. */
const SENTENCE = /^\s*[A-Z][a-z]/;

interface Known {
  readonly path: string;
  readonly source: Source;
  readonly imports: readonly Import[];
}

/** Everything that is wrong with these files, in sentences. */
export function problemsOf(files: Files): string[] {
  const known = [...files].map(([path, text]): Known => {
    const source = readSource(text);
    return { path, source, imports: importsOf(source) };
  });
  return [
    ...known.flatMap(({ path, imports }) => imports.flatMap((each) => problemsOfImport(files, path, each))),
    ...known.flatMap(problemsOfContent),
    ...cycles(known).map((cycle) => `${cycle.join(' -> ')} is a circle at run time`),
  ];
}

function problemsOfImport(files: Files, path: string, { target, typeOnly }: Import): string[] {
  if (target === undefined) return [`${path} imports something that is only known at run time`];
  if (!target.startsWith('.')) {
    const owner = OWNERS[packageOf(target)];
    if (target === 'node:process' || target === 'process')
      return [`${path} imports ${target}: the global does, and is looked for`];
    return owner && !typeOnly && !path.startsWith(owner)
      ? [`${path} imports ${target}, which only ${owner} may`]
      : [];
  }
  const imported = resolve(path, target);
  if (!files.has(imported)) return [`${path} imports ${imported}, which is no source file`];
  if (imported.startsWith('src/generated/') && !typeOnly) {
    return [`${path} imports ${imported} at run time, and there are only types in it`];
  }
  // What is generated has types of every rank in it, and nothing else.
  if (imported === RECORD && !typeOnly && !RECORDING.has(path)) {
    return [`${path} imports ${imported} and does not ask whether the caller may: use src/auth/changes.ts`];
  }
  const isExempt = typeOnly && (TYPES_FOR_ALL.test(imported) || path.startsWith('src/generated/'));
  return isExempt ? [] : problemsOfArrow(path, imported);
}

function problemsOfArrow(path: string, imported: string): string[] {
  if (imported.startsWith(DRIZZLE.folder) && !path.startsWith(DRIZZLE.only)) {
    return [`${path} imports ${imported}, which only ${DRIZZLE.only} may`];
  }
  const [from, to] = [groupOf(path), groupOf(imported)];
  if (from === to) return [];
  const [above, below] = [rankOf(from), rankOf(to)];
  if (above === -1) return [`${path} has no place in the order`];
  if (below === -1) return [`${imported} has no place in the order`];
  const only = ONLY_FROM[to];
  if (only !== undefined && only !== from) return [`${path} imports ${imported}, which is for ${only} alone`];
  if (above < below || BESIDE.has(`${from} -> ${to}`)) return [];
  return [`${path} imports ${imported}: ${to} is ${above === below ? 'beside' : 'above'} ${from}`];
}

function problemsOfContent({ path, source }: Known): string[] {
  const problems: string[] = [];
  if (ENVIRONMENT.test(source.code) && path !== 'src/config.ts') {
    problems.push(`${path} reads process.env, which only src/config.ts may`);
  }
  for (const text of path.startsWith('src/db/') ? [] : source.texts) {
    if (SQL.test(text) && !SENTENCE.test(text))
      problems.push(`${path} has SQL in it: ${text.trim().slice(0, 40)}`);
  }
  return problems;
}

/** The part of the house that a file belongs to. */
function groupOf(path: string): string {
  const [folder, name, deeper] = path.split('/');
  if (folder === 'resolvers') return 'resolvers';
  if (name === 'commands' || /^(main|shutdown|greeting)\.ts$/.test(name ?? '')) return 'main';
  if (name === 'app.ts' || name === 'api.ts') return 'app';
  if (name === 'config.ts') return 'config';
  // The pipeline runs what `graphql` assembles, which calls it: they are of one rank.
  if (name === 'pipeline') return 'graphql';
  return deeper === undefined ? 'leaf' : (name ?? '');
}

const rankOf = (group: string) => RANKS.findIndex((groups) => groups.includes(group));

const resolve = (path: string, target: string) => posix.join(posix.dirname(path), target);

/** `drizzle-orm/pg-core` is of `drizzle-orm`, and `@scope/name/part` of `@scope/name`. */
const packageOf = (target: string) =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

/** Circles of files that need each other at run time, each found once. */
function cycles(files: readonly Known[]): string[][] {
  const graph = new Map(
    files.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target, typeOnly }) =>
        target?.startsWith('.') && !typeOnly ? [resolve(path, target)] : [],
      ),
    ]),
  );
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]) => {
    const start = way.indexOf(path);
    if (start >= 0) found.push([...way.slice(start), path]);
    if (start >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}
