import { expect, test } from 'vitest';
import { type Kind, mostOf, plan } from '../../bench/simulation/model.ts';

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
  // Some machines are there for the loss of others, and not for the load.
  [10, 8, { instances: 2, primaryCores: 1, replicas: 2, redis: 1 }],
  // Half busy cores: 8.8 of instances, 2.4 of the primary; 14.4 of reading beside 0.8 of replaying in each replica.
  [4000, 6, { instances: 9, primaryCores: 3, replicas: 3, redis: 1, egress: 30.4 }],
  // Replaying changes takes all of a replica.
  [4000, 0.5, { replicas: Number.POSITIVE_INFINITY }],
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
  expect(Math.round(mostOf([read, change], { workers, cores: 8 }))).toBe(expected);
});
