import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { Backlog, Backlogs } from '../../src/http/streams/backlog.ts';

class Client extends Backlog {
  waiting = 0;
  unsent = 0;
  protected override readonly transport = undefined;

  receive(bytes: number): void {
    this.count(bytes);
    this.waiting += bytes;
  }
}

test('clients with a backlog must read once all together have too much, and others need not', async () => {
  const all = new Backlogs();
  const clients: Client[] = [];
  all.add(() => clients.reduce((sum, { waiting }) => sum + waiting, 0));
  const connect = () => {
    const client = new Client(all);
    clients.push(client);
    return client;
  };
  const bytes = LIMITS.streamBacklogBytes;
  for (let sum = 0; sum < LIMITS.streamBacklogsBytes; sum += bytes) connect().receive(bytes);
  const [first] = clients;
  expect(first?.mustRead()).toBe(false);
  // Every further client could hold as much.
  const prompt = connect();
  const slow = connect();
  slow.receive(LIMITS.streamCatchUpBytes + 1);
  prompt.receive(LIMITS.streamCatchUpBytes);
  expect([first?.mustRead(), slow.mustRead(), prompt.mustRead()]).toEqual([true, true, false]);
  // It is not what disconnects a client.
  expect([first?.isFull(), slow.isFull()]).toEqual([false, false]);
  for (const client of clients) if (client !== slow) client.waiting = 0;
  await expect.poll(() => slow.mustRead()).toBe(false);
});
