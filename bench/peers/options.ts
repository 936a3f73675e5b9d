import { CASES } from '../cases.ts';
import { decimal, integer, readTexts, UsageError } from '../options.ts';
import { ENGINES, type Engine, PEERS, type Peer } from './contestants.ts';

export interface PeersOptions {
  /** Paired rounds per case and peer, in all processes together. */
  readonly rounds: number;
  /** Pairs of new processes, over which the rounds are distributed. */
  readonly processes: number;
  /** Seconds per round and server. */
  readonly seconds: number;
  /** Seconds of load on both servers before the measurement; up to six times as long until both have served 10,000 requests. */
  readonly warmUp: number;
  /** Orders in the database, each with three items. */
  readonly orders: number;
  /** Persistent connections, with one request at a time on each. */
  readonly connections: number;
  readonly cases: readonly string[];
  readonly engines: readonly Engine[];
  readonly peers: readonly Peer[];
  /** The URL of a server on which databases can be created. */
  readonly postgres: string;
  /** The files for the results. If undefined, they are not written. */
  readonly out: string | undefined;
  readonly svg: string | undefined;
  /** The number of requests whose instructions are counted, after the same number of requests to warm up; 0 disables this. */
  readonly instructions: number;
}

const DEFAULTS = {
  rounds: '24',
  processes: '3',
  seconds: '1',
  'warm-up': '12',
  orders: '100000',
  connections: '32',
  cases: CASES.map(({ name }) => name).join(),
  engine: ENGINES.join(),
  peers: PEERS.join(),
  postgres: 'postgres://postgres:postgres@localhost:5432/postgres',
  instructions: '0',
  out: '',
  svg: '',
};

const USAGE = `npm run bench [-- options]

Compares Portico with other servers on the same rows, by the processor time that each server process uses per request.

  --rounds <number>        paired rounds per case and peer (${DEFAULTS.rounds})
  --processes <number>     pairs of new processes, over which the rounds are distributed (${DEFAULTS.processes})
  --seconds <number>       seconds per round and server (${DEFAULTS.seconds})
  --warm-up <number>       seconds of load on both servers before the measurement, up to six times as long on a busy machine (${DEFAULTS['warm-up']})
  --orders <number>        orders in the database, each with three items (${DEFAULTS.orders})
  --connections <number>   connections, with one request at a time on each (${DEFAULTS.connections})
  --cases <names>          ${DEFAULTS.cases}
  --engine <names>         ${DEFAULTS.engine}
  --peers <names>          ${DEFAULTS.peers}
  --postgres <url>         a server on which databases can be created (${DEFAULTS.postgres})
  --out <file>             the file for the results as JSON
  --svg <file>             the file for the results as a picture
  --instructions <number>  also counts the instructions of this number of requests with valgrind, minutes per comparison (${DEFAULTS.instructions})
`;

/** The lifetime of a token in seconds, minus the time to start. */
const TOKEN_LIFETIME = 840;

/** @throws UsageError for an invalid option. */
export function readPeersOptions(args: readonly string[]): PeersOptions {
  const values = readTexts(args, DEFAULTS, USAGE);
  const options: PeersOptions = {
    rounds: integer('rounds', values.rounds, 2, 10_000),
    processes: integer('processes', values.processes, 1, 100),
    seconds: decimal('seconds', values.seconds, 0.2, 60),
    warmUp: decimal('warm-up', values['warm-up'], 0.2, 600),
    orders: integer('orders', values.orders, 4000, 10_000_000),
    connections: integer('connections', values.connections, 1, 1000),
    cases: namesIn(
      'cases',
      values.cases,
      CASES.map(({ name }) => name),
    ),
    engines: namesIn('engine', values.engine, ENGINES),
    peers: namesIn('peers', values.peers, PEERS),
    postgres: values.postgres,
    out: values.out || undefined,
    svg: values.svg || undefined,
    instructions: integer('instructions', values.instructions, 0, 1_000_000),
  };
  const { rounds, processes, seconds, warmUp } = options;
  if (rounds < processes) throw new UsageError('--rounds must be at least --processes.');
  if (warmUp + Math.ceil(rounds / processes) * 2 * (seconds + 0.2) > TOKEN_LIFETIME) {
    throw new UsageError(
      `A pair of processes must not run longer than the lifetime of a token, ${TOKEN_LIFETIME} seconds.`,
    );
  }
  return options;
}

function namesIn<Name extends string>(option: string, text: string, known: readonly Name[]): readonly Name[] {
  const wanted = text.split(',');
  const unknown = wanted.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined) throw new UsageError(`--${option} accepts ${known.join(', ')}, not ${unknown}.`);
  return known.filter((name) => wanted.includes(name));
}
