/**
 * `npm run bench -- simulation`: measures the cost of a request in each component, and estimates the machines that a load requires. It
 * starts its own PostgreSQL and Redis from Debian's packages, which must be installed.
 */
import { loadavg } from 'node:os';
import type { Cleanups } from '../cleanups.ts';
import { decimal, integer, readTexts } from '../options.ts';
import { changesOfOne, checkModel, type Sent, type SentKind } from './check.ts';
import { planStreams } from './followers.ts';
import { measure, startMachines, streamCost } from './measure.ts';
import { describe, errors, limits, plans, streams } from './report.ts';
import { limitsOf } from './saturation.ts';

const DEFAULTS = {
  seconds: '4',
  utilization: '0.6',
  'database-cores': '16',
  organisations: '10000',
  skew: '1',
  streams: '1000000',
  'events-an-hour': '60',
  'core-price': '25',
  'terabyte-price': '50',
};

const USAGE = `npm run bench -- simulation [options]

  --seconds <number>         seconds of each measurement (${DEFAULTS.seconds})
  --utilization <number>     maximum average utilization of a core, from 0.1 to 1 (${DEFAULTS.utilization})
  --database-cores <number>  cores per PostgreSQL server (${DEFAULTS['database-cores']})
  --organisations <number>   organisations that share the load (${DEFAULTS.organisations})
  --skew <number>            exponent of Zipf's law for the sizes of the organisations (${DEFAULTS.skew})
  --streams <number>         open streams (${DEFAULTS.streams})
  --events-an-hour <number>  events per stream and hour (${DEFAULTS['events-an-hour']})
  --core-price <number>      monthly price of a core with its memory (${DEFAULTS['core-price']})
  --terabyte-price <number>  price of a terabyte of outgoing traffic (${DEFAULTS['terabyte-price']})
`;

/** Requests a second. */
const RATES = [1000, 10_000, 100_000];

/** MiB per instance for streams. */
const STREAM_MEMORY = 1024;

const PLACING: Sent = {
  title: 'placing an order',
  share: 0.1,
  isChange: true,
  request: { method: 'POST', path: '/v1/users/1/orders', body: '{"items":[{"product_id":1,"qty":1}]}' },
  email: 'ada@acme.test',
};

/** Nine reads per write. */
const MIX: readonly Sent[] = [
  {
    title: 'one order with its items',
    share: 0.6,
    isChange: false,
    request: { method: 'GET', path: '/v1/orders/1' },
    email: 'vic@acme.test',
  },
  {
    title: 'a page of 20 orders with items',
    share: 0.3,
    isChange: false,
    request: { method: 'GET', path: '/v1/orders?limit=20' },
    email: 'vic@acme.test',
  },
  PLACING,
];

/** @throws UsageError for an invalid option. */
export async function simulation(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, DEFAULTS, USAGE);
  const seconds = integer('seconds', values.seconds, 1, 600);
  const hardware = {
    utilization: decimal('utilization', values.utilization, 0.1, 1),
    databaseCores: integer('database-cores', values['database-cores'], 1, 1024),
  };
  const prices = {
    core: decimal('core-price', values['core-price'], 0, 1e6),
    terabyte: decimal('terabyte-price', values['terabyte-price'], 0, 1e6),
  };
  const distribution = {
    organisations: integer('organisations', values.organisations, 1, 10_000_000),
    skew: decimal('skew', values.skew, 0, 3),
  };
  const followers = {
    streams: integer('streams', values.streams, 1, 1e9),
    eventsAnHour: decimal('events-an-hour', values['events-an-hour'], 0, 1e6),
  };
  const streamCosts = await streamCost(cleanups);
  const machines = await startMachines(cleanups);
  const kinds: SentKind[] = [];
  for (const sent of MIX)
    kinds.push({ ...sent, cost: await measure(machines, sent.request, sent.email, seconds) });
  const tenants = { ...distribution, changesOfOne: await changesOfOne(machines, PLACING, seconds) };
  const checked = await checkModel(machines, kinds, seconds);
  const room = { utilization: hardware.utilization, memory: STREAM_MEMORY };
  const parts = [
    describe(kinds),
    plans(kinds, RATES, hardware, prices),
    `One organisation can make ${tenants.changesOfOne.toFixed(0)} writes a second on this machine.`,
    limits(limitsOf(kinds, hardware, tenants)),
    streams(followers.streams, streamCosts, planStreams(streamCosts, followers, room)),
    errors(checked),
    `Load average: ${loadavg()[0]?.toFixed(1)}.`,
  ];
  process.stdout.write(`${parts.join('\n\n')}\n`);
}
