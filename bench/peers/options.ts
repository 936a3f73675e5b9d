import { parseArgs } from 'node:util';
import { CASES } from '../cases.ts';
import { decimal, integer, UsageError } from '../options.ts';
import { ENGINES, type Engine, PEERS, type Peer } from './contestants.ts';

export interface PeersOptions {
  /** Paired rounds for each case and peer, all processes together. */
  readonly rounds: number;
  /** Pairs of fresh processes that share the rounds. */
  readonly processes: number;
  /** Seconds of one measurement of one server. */
  readonly seconds: number;
  /** Seconds of load on both servers before anything counts; up to six times as many where 10,000 requests take longer. */
  readonly warmUp: number;
  /** Orders in the database, each with three items. */
  readonly orders: number;
  /** Connections that are kept alive, one request on each at a time. */
  readonly connections: number;
  readonly cases: readonly string[];
  readonly engines: readonly Engine[];
  readonly peers: readonly Peer[];
  /** A server on which databases can be made. */
  readonly postgres: string;
  /** Files for the results; not written where they are not named. */
  readonly out: string | undefined;
  readonly svg: string | undefined;
  /** Requests that instructions are counted of, after as many to warm up; 0 for none. */
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
};

export const USAGE = `npm run bench [-- options]

Compares Portico with other servers over the same rows, by the processor time of each server's process for a request.

  --rounds <number>        paired rounds for each case and peer (${DEFAULTS.rounds})
  --processes <number>     pairs of fresh processes that share the rounds (${DEFAULTS.processes})
  --seconds <number>       seconds of each measurement (${DEFAULTS.seconds})
  --warm-up <number>       seconds of load on both servers before anything counts, up to six times as many on a busy machine (${DEFAULTS['warm-up']})
  --orders <number>        orders in the database, each with three items (${DEFAULTS.orders})
  --connections <number>   connections, with one request at a time on each (${DEFAULTS.connections})
  --cases <names>          ${DEFAULTS.cases}
  --engine <names>         ${DEFAULTS.engine}
  --peers <names>          ${DEFAULTS.peers}
  --postgres <url>         a server on which databases can be made (${DEFAULTS.postgres})
  --out <file>             where to write the results as JSON
  --svg <file>             where to write them as a picture
  --instructions <number>  also count the instructions of this many requests with valgrind, which takes minutes each (${DEFAULTS.instructions})
`;

/** Seconds that a token lasts, less what starting takes. */
const TOKEN_LIFETIME = 840;

/** @throws UsageError naming what cannot be understood. */
export function readPeersOptions(args: readonly string[]): PeersOptions | 'help' {
  if (args.includes('--help')) return 'help';
  const values = parse(args);
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
    out: values.out,
    svg: values.svg,
    instructions: integer('instructions', values.instructions, 0, 1_000_000),
  };
  const { rounds, processes, seconds, warmUp } = options;
  if (rounds < processes) throw new UsageError('--rounds must be at least --processes.');
  if (warmUp + Math.ceil(rounds / processes) * 2 * (seconds + 0.2) > TOKEN_LIFETIME) {
    throw new UsageError(
      `A pair of processes must not run longer than a token lasts: ${TOKEN_LIFETIME} seconds.`,
    );
  }
  return options;
}

function parse(args: readonly string[]) {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        rounds: text(DEFAULTS.rounds),
        processes: text(DEFAULTS.processes),
        seconds: text(DEFAULTS.seconds),
        'warm-up': text(DEFAULTS['warm-up']),
        orders: text(DEFAULTS.orders),
        connections: text(DEFAULTS.connections),
        cases: text(DEFAULTS.cases),
        engine: text(DEFAULTS.engine),
        peers: text(DEFAULTS.peers),
        postgres: text(DEFAULTS.postgres),
        instructions: text(DEFAULTS.instructions),
        out: { type: 'string' },
        svg: { type: 'string' },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function namesIn<Name extends string>(option: string, text: string, known: readonly Name[]): readonly Name[] {
  const wanted = text.split(',');
  const unknown = wanted.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined) throw new UsageError(`--${option} knows ${known.join(', ')}, not ${unknown}.`);
  return known.filter((name) => wanted.includes(name));
}
