/** The servers that are compared with Portico, and their cases. */

export const ENGINES = ['sqlite', 'postgres'] as const;
export type Engine = (typeof ENGINES)[number];

export const PEERS = ['hand-written', 'hand-written-single', 'mercurius', 'apollo'] as const;
export type Peer = (typeof PEERS)[number];

interface Entry {
  /** The name in reports. */
  readonly title: string;
  /** The name in the picture. */
  readonly shortTitle: string;
  readonly engines: readonly Engine[];
  readonly cases: readonly string[];
}

export const ENTRIES: Readonly<Record<Peer, Entry>> = {
  'hand-written': {
    title: 'hand-written',
    shortTitle: 'hand-written',
    engines: ENGINES,
    cases: ['order', 'page', 'graphql-order', 'graphql-user', 'create-order'],
  },
  'hand-written-single': {
    // On PostgreSQL, each request uses its own connection, and the difference is the number of statements.
    title: 'hand-written, a commit for each (SQLite), one statement (PostgreSQL)',
    shortTitle: 'hand-written, single',
    engines: ENGINES,
    cases: ['create-order'],
  },
  mercurius: {
    title: 'mercurius with jit',
    shortTitle: 'mercurius',
    engines: ENGINES,
    cases: ['graphql-order', 'graphql-user'],
  },
  apollo: {
    title: 'Apollo Server',
    shortTitle: 'Apollo Server',
    engines: ENGINES,
    cases: ['graphql-order', 'graphql-user'],
  },
};

/** Returns the peers of a case, in the order of reports. */
export function peersOf(caseName: string, engine: Engine, wanted: readonly Peer[]): Peer[] {
  return wanted.filter(
    (peer) => ENTRIES[peer].engines.includes(engine) && ENTRIES[peer].cases.includes(caseName),
  );
}

export const engineTitle: Readonly<Record<Engine, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
