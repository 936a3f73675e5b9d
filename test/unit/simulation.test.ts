import { expect, test } from 'vitest';
import { planStreams } from '../../bench/simulation/followers.ts';
import { costOf, type Kind, maxRate, plan } from '../../bench/simulation/model.ts';
import { largestShare, limitsOf } from '../../bench/simulation/saturation.ts';

const read: Kind = {
  title: 'read',
  share: 0.9,
  isChange: false,
  cost: { instance: 1, primary: 0, replica: 2, redis: 0.1, client: 0.5, bytes: 1000 },
};
const change: Kind = {
  title: 'change',
  share: 0.1,
  isChange: true,
  cost: { instance: 2, primary: 3, replica: 1, redis: 0.2, client: 0.5, bytes: 500 },
};

test.each([
  // Some machines are spare ones for failures, and not needed for the load.
  [10, 8, { instances: 2, primaryCores: 1, replicas: 2, redis: 1 }],
  // Cores at half load: 8.8 of instances, 2.4 of the primary; 14.4 for reads and 0.8 for replaying in each
  // replica.
  [4000, 6, { instances: 9, clusters: 1, primaryCores: 3, replicas: 3, redis: 1, egress: 30.4 }],
  // One primary is too small: 2.4 cores on one-core servers are three, each with a third of the reads and the
  // replaying.
  [4000, 1, { clusters: 3, primaryCores: 1, replicas: 7 }],
  // One process of a replica would need 1.6 cores for replaying.
  [8000, 16, { clusters: 2, primaryCores: 3, replicas: 2 }],
])('%i requests a second on databases of %d cores', (rate, databaseCores, expected) => {
  expect(plan([read, change], rate, { utilization: 0.5, databaseCores })).toMatchObject(expected);
});

test.each([
  // A worker is one core: 1.1 ms of it for each request.
  [1, 909],
  [2, 1818],
  // Then all cores are busy: 3.91 ms of them.
  [4, 2046],
])('%i workers on one machine of 8 cores', (workers, expected) => {
  expect(Math.round(maxRate([read, change], { workers, cores: 8 }))).toBe(expected);
});

test('the monthly price covers the cores of all machines and outgoing traffic', () => {
  const hardware = { utilization: 0.5, databaseCores: 6 };
  const planned = plan([read, change], 4000, hardware);
  // 9 instances, the primary and 3 replicas with 6 cores each, one Redis; 30.4 Mbit/s for 30 days are 9.8496 TB.
  expect(costOf(planned, hardware, { core: 10, terabyte: 100 })).toBeCloseTo(340 + 984.96);
});

test.each([
  [4, 0, 0.25],
  // 1 + 1/2 + 1/3 + 1/4
  [4, 1, 0.48],
  [1, 1, 1],
])('the largest of %i organisations, by an exponent of %i', (organisations, skew, expected) => {
  expect(largestShare({ organisations, skew })).toBeCloseTo(expected);
});

test('the resource that saturates first', () => {
  const tenants = { organisations: 4, skew: 1, changesOfOne: 480 };
  const limits = limitsOf([read, change], { utilization: 0.5, databaseCores: 8 }, tenants);
  expect(limits.map(({ what, rate }) => [what.split(/[,:]/)[0], Math.round(rate)])).toEqual([
    // 0.11 ms for each request.
    ['Redis', 4545],
    // 0.1 ms for those that change something.
    ['a replica', 5000],
    // A tenth of the requests are changes, 0.48 of them by this organisation.
    ['the largest organisation', 10_000],
    // 0.3 ms, on 8 cores.
    ['the primary', 13_333],
  ]);
});

test.each([
  // 1024 streams of 8 KiB use 8 MiB of an instance's 4 MiB.
  [1024, 0, { memoryGiB: 8 / 1024, deliveries: 0, cores: 0, instances: 2 }],
  // An event a second for each stream takes 1.024 s of a core, half of which must be idle.
  [1024, 3600, { deliveries: 1024, cores: 2.048, instances: 3 }],
])('%i streams with %i events an hour', (streams, eventsAnHour, expected) => {
  const room = { utilization: 0.5, memory: 4 };
  expect(planStreams({ memory: 8, delivery: 1 }, { streams, eventsAnHour }, room)).toMatchObject(expected);
});
