/**
 * `npm run bench -- simulation`: measures what a request takes of each machine, and works out how many of each a load takes.
 * The measurement needs Debian's PostgreSQL and Redis, of which it starts its own.
 */
import { loadavg } from 'node:os';
import type { Cleanups } from '../cleanups.ts';
import { decimal, integer, readTexts } from '../options.ts';
import { formatColumns } from '../table.ts';
import { type Checked, checkModel, type SentKind } from './check.ts';
import { measure, startMachines } from './measure.ts';
import { type Kind, plan } from './model.ts';

const DEFAULTS = { seconds: '4', utilization: '0.6', 'database-cores': '16' };

const USAGE = `npm run bench -- simulation [options]

  --seconds <number>         for how long each request is measured (${DEFAULTS.seconds})
  --utilization <number>     how busy a core may be (${DEFAULTS.utilization})
  --database-cores <number>  cores of each server of PostgreSQL (${DEFAULTS['database-cores']})
`;

/** Requests a second. */
const RATES = [1000, 10_000, 100_000];

type Sent = Omit<SentKind, 'cost'>;

/** Nine reads to each change. */
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
  {
    title: 'placing an order',
    share: 0.1,
    isChange: true,
    request: { method: 'POST', path: '/v1/users/1/orders', body: '{"items":[{"product_id":1,"qty":1}]}' },
    email: 'ada@acme.test',
  },
];

/** @throws UsageError naming what cannot be understood. */
export async function simulation(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, DEFAULTS, USAGE);
  if (values === 'help') return;
  const seconds = integer('seconds', values.seconds, 1, 600);
  const hardware = {
    utilization: decimal('utilization', values.utilization, 0.1, 1),
    databaseCores: integer('database-cores', values['database-cores'], 1, 1024),
  };
  const machines = await startMachines(cleanups);
  const kinds: SentKind[] = [];
  for (const sent of MIX)
    kinds.push({ ...sent, cost: await measure(machines, sent.request, sent.email, seconds) });
  const checked = await checkModel(machines, kinds, seconds);
  process.stdout.write(
    `${describe(kinds)}\n\n${plans(kinds, hardware)}\n\n${errors(checked)}\n\nLoad of the machine: ${loadavg()[0]?.toFixed(1)}.\n`,
  );
}

function describe(kinds: readonly Kind[]): string {
  const rows = kinds.map(({ title, share, cost }) => [
    title,
    `${Math.round(share * 100)} %`,
    ...[cost.instance, cost.primary, cost.replica, cost.redis, cost.client].map((time) => time.toFixed(3)),
    String(cost.bytes),
  ]);
  const headings = [
    'ms of a core',
    'share',
    'instance',
    'primary',
    'replica',
    'Redis',
    'client',
    'bytes out',
  ];
  return formatColumns(headings, rows);
}

/** How far the model is off, on this machine, which everything shares. */
function errors(checked: readonly Checked[]): string {
  const rows = checked.map(({ workers, predicted, measured }) => [
    String(workers),
    predicted.toFixed(0),
    measured.toFixed(0),
    `${((predicted / measured - 1) * 100).toFixed(0)} %`,
  ]);
  return formatColumns(['workers', 'requests/s predicted', 'measured', 'error'], rows);
}

function plans(kinds: readonly Kind[], hardware: Parameters<typeof plan>[2]): string {
  const rows = RATES.map((rate) => {
    const { instances, primaryCores, replicas, redis, egress } = plan(kinds, rate, hardware);
    const counts = [instances, primaryCores, replicas, redis].map(String);
    return [rate.toLocaleString('en'), ...counts, egress.toFixed(0)];
  });
  const headings = ['requests/s', 'instances', 'cores of the primary', 'replicas', 'Redis', 'Mbit/s out'];
  return formatColumns(headings, rows);
}
