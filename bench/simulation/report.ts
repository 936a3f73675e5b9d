/** The report of `npm run bench -- simulation`. */
import { formatColumns } from '../table.ts';
import type { Checked } from './check.ts';
import type { StreamCost, StreamPlan } from './followers.ts';
import { costOf, type Hardware, type Kind, type Prices, plan } from './model.ts';
import type { ClusterLimit } from './saturation.ts';

const count = (number: number) => Math.round(number).toLocaleString('en');

/** Formats the cost of each kind of request. */
export function describe(kinds: readonly Kind[]): string {
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

/** @param rates requests a second. */
export function plans(
  kinds: readonly Kind[],
  rates: readonly number[],
  hardware: Hardware,
  prices: Prices,
): string {
  const rows = rates.map((rate) => {
    const planned = plan(kinds, rate, hardware);
    const { instances, clusters, primaryCores, replicas, redis, egress } = planned;
    const counts = [instances, clusters, primaryCores, replicas, redis].map(String);
    return [count(rate), ...counts, count(egress), count(costOf(planned, hardware, prices))];
  });
  const headings = [
    'requests/s',
    'instances',
    'clusters',
    'cores per primary',
    'replicas per cluster',
    'Redis',
    'Mbit/s out',
    'monthly cost',
  ];
  return formatColumns(headings, rows);
}

/** Formats the limits of one cluster. */
export function limits(all: readonly ClusterLimit[]): string {
  const rows = all.map(({ what, rate }) => [what, count(rate)]);
  return formatColumns(['limit', 'requests/s'], rows);
}

export function streams(open: number, cost: StreamCost, planned: StreamPlan): string {
  const { memoryGiB, deliveries, cores, instances } = planned;
  return [
    `${count(open)} streams of ${cost.memory.toFixed(1)} KiB: ${memoryGiB.toFixed(1)} GiB.`,
    `${count(deliveries)} deliveries a second of ${(cost.delivery * 1000).toFixed(1)} us: ${cores.toFixed(1)} cores.`,
    `Instances: ${instances}.`,
  ].join(' ');
}

/** Formats the error of the model's predictions for this machine. */
export function errors(checked: readonly Checked[]): string {
  const rows = checked.map(({ workers, predicted, measured }) => [
    String(workers),
    predicted.toFixed(0),
    measured.toFixed(0),
    `${((predicted / measured - 1) * 100).toFixed(0)} %`,
  ]);
  return formatColumns(['workers', 'requests/s predicted', 'measured', 'error'], rows);
}
