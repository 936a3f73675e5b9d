/** Webhooks of two instances, one of which is paused for longer than its leases, while keys and secrets are replaced. */
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { command } from '../commands/command.ts';
import { describeEachEngine } from '../support/engines.ts';
import { manageServers, waitUntil } from '../support/process.ts';
import { manageRedis } from '../support/redis.ts';
import { manageReceivers } from '../support/webhook-receiver.ts';
import { Connection, signIn } from './client.ts';

const servers = manageServers();
const redisServers = manageRedis();
const openReceiver = manageReceivers();

const ORDERS = 60;

describeEachEngine(
  'webhooks of two instances',
  (engine) => {
    engine.testConcurrent(
      'are sent once, and those of a paused instance once more, while keys and secrets are replaced',
      async (skip) => {
        const { url: redis } = await redisServers.start(skip);
        const place = await engine.create('demo');
        const directory = await servers.directory();
        const held: (() => void)[] = [];
        let holds = true;
        const receiver = await openReceiver((response) => {
          const accept = () => response.writeHead(200).end();
          if (holds) held.push(accept);
          else accept();
        });
        const env = { DATABASE_URL: place.url, WEBHOOK_ALLOW_LOOPBACK: '1', REDIS_URL: redis };
        const options = { env, directory };
        const first = await servers.start(options);
        const client = new Connection(first.url, await signIn(first.url));
        const made = await client.send('POST', '/v1/webhooks', {
          url: receiver.url,
          types: ['order.created'],
        });
        const { id, secret } = JSON.parse(made.body) as { id: number; secret: string };

        // The first instance is paused during its attempts, until the second has made them as well.
        await client.placeOrder();
        await client.placeOrder();
        await waitUntil(() => held.length === 2, 'the messages of the first instance');
        first.signal('SIGSTOP');
        holds = false;
        const second = await servers.start(options);
        const other = new Connection(second.url, await signIn(second.url));
        await place.query('update webhook_attempts set leased_until = to_timestamp(0)');
        await receiver.until(4);
        const counted = async (what: string) => {
          const [row] = await place.query(`select cast(count(*) as integer) as counted from ${what}`);
          return Number(row?.['counted']);
        };
        await waitUntil(
          async () => (await counted("webhook_deliveries where status = 'delivered'")) === 2,
          'the outcomes of the second instance',
        );
        first.signal('SIGCONT');
        for (const accept of held) accept();

        const keys = { AUTH_KEYS_FILE: join(directory, 'data/keys.json'), ...env };
        const renew = async () => {
          for (const action of ['rotate', 'reseal', 'reseal']) {
            expect(await command(['keys', action], { environment: keys })).toMatchObject({
              code: 0,
              err: '',
            });
          }
        };
        const write = async (one: Connection) => {
          for (let order = 0; order < ORDERS / 2; order += 1) {
            expect((await one.placeOrder()).status).toBe(201);
          }
        };
        const replaced = other.send('POST', `/v1/webhooks/${id}/secret`);
        await Promise.all([write(client), write(other), renew()]);
        const { secret: newSecret } = JSON.parse((await replaced).body) as { secret: string };
        await waitUntil(
          async () => (await counted("webhook_deliveries where status = 'delivered'")) === ORDERS + 2,
          'all messages',
        );
        expect(await counted('webhook_attempts where error is null and claims = 1')).toBe(ORDERS);
        expect(await counted('webhook_attempts where error is null and claims = 2')).toBe(2);
        expect(await counted('webhook_attempts')).toBe(ORDERS + 2);
        expect(receiver.received).toHaveLength(ORDERS + 4);
        expect(new Set(receiver.received.map((message) => message.id)).size).toBe(ORDERS + 2);
        const verifiers = [secret, newSecret].map((each) => new Webhook(each));
        for (const { body, headers } of receiver.received) {
          expect(
            verifiers.some((verifier) => {
              try {
                return verifier.verify(body, { ...headers }) !== undefined;
              } catch {
                return false;
              }
            }),
          ).toBe(true);
        }

        // Redeliveries at the same time on both instances: one attempt, and a refusal.
        const [delivery] = await place.query('select max(id) as id from webhook_deliveries');
        const path = `/v1/webhooks/${id}/deliveries/${Number(delivery?.['id'])}/attempts`;
        const statuses = await Promise.all(
          [client, other, client, other].map(async (one) => (await one.send('POST', path)).status),
        );
        const accepted = statuses.filter((status) => status === 201 || status === 202).length;
        await waitUntil(
          async () => (await counted('webhook_attempts where finished_at is null')) === 0,
          'the redeliveries',
        );
        expect(accepted).toBeGreaterThanOrEqual(1);
        expect(await counted('webhook_attempts')).toBeLessThanOrEqual(ORDERS + 2 + accepted);
        for (const one of [client, other]) one.close();
      },
    );
  },
  'postgres',
);
