import type { Redis } from '../../cluster/redis.ts';
import { systemClock } from '../../core/clock.ts';
import { withoutPassword } from '../../core/environment.ts';
import { reasonOf } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import { checkMailServer } from '../../mail/transport.ts';
import { type Check, findingsOf } from './finding.ts';

/** Checks Redis, if it is configured. */
export const checkRedis: Check = async ({ config: { redis, database } }) => {
  const finding = findingsOf('redis');
  if (redis.url === undefined) {
    const needed = /^postgres/.test(database.url) ? ', which is fine for a single instance' : '';
    return finding.ok(`is not used${needed}`);
  }
  const place = withoutPassword(redis.url);
  const { isRefusal, openRedis } = await import('../../cluster/redis.ts');
  let lost: Error | undefined;
  let refused: Error | undefined;
  const client = await openRedis({
    url: redis.url,
    onLost: (error) => {
      lost = error;
    },
    onBack: () => {},
    onRefused: (error) => {
      refused = error;
    },
  });
  try {
    await client.ping();
    await sendCommands(client, database.replicaUrls.length > 0).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      refused ??= error;
    });
    if (!refused) return finding.ok(`${place} responds`);
    return finding.problem(
      `${place} refuses commands of a server: ${reasonOf(refused)}`,
      'Use the master, give it memory, and permit the user all commands on the keys and channels portico:*.',
    );
  } catch (error) {
    return finding.problem(
      `${place} does not respond: ${reasonOf(lost ?? error)}`,
      'Start it, or correct REDIS_URL. Until then instances do not cooperate: each counts its own budgets, and events of others arrive late.',
    );
  } finally {
    client.disconnect();
  }
};

/**
 * Runs each kind of command that a server sends, by its own code where that reports refused commands. What it writes expires within
 * seconds, and belongs to no caller.
 *
 * @throws the response of Redis to a refused command.
 */
async function sendCommands(client: Redis, hasReplicas: boolean): Promise<void> {
  const [{ createSharedBudget }, { countsOf }, { createPositions }, { CHANNEL }] = await Promise.all([
    import('../../rate-limit/shared.ts'),
    import('../../rate-limit/counts.ts'),
    import('../../cluster/positions.ts'),
    import('../../cluster/wakes.ts'),
  ]);
  const [key, points, seconds] = ['doctor', 1, 1];
  const options = { redis: client, clock: systemClock, points, perSecond: points };
  await createSharedBudget(options).take(key, 0, systemClock());
  const counts = countsOf(key, points, client, seconds);
  await counts.penalty(key);
  await counts.set(key, points, seconds);
  await counts.get(key);
  await counts.delete(key);
  if (hasReplicas) {
    const positions = createPositions(client);
    await positions.remember(key, '0/0');
    await positions.find(key);
  }
  // No organisation has an empty name.
  await client.publish(CHANNEL, '');
  // The connection takes no further commands.
  await client.subscribe(CHANNEL);
}

/** Checks the mail server, if it is configured. */
export const checkMail: Check = async ({ config: { mail, production } }) => {
  const finding = findingsOf('mail');
  if (mail.url === undefined) {
    if (!production) return finding.ok('messages go to the log');
    return finding.warning(
      'MAIL_URL is not set: password resets and invitations are not mailed',
      'Set MAIL_URL, or create links with "npx portico user invite" and pass them on.',
    );
  }
  const place = withoutPassword(mail.url);
  try {
    await checkMailServer({ url: mail.url, timeout: LIMITS.connectTimeout });
    return finding.ok(`${place} responds`);
  } catch (error) {
    const found = `${place} cannot be used: ${reasonOf(error)}`;
    return finding.problem(found, 'Start it, or correct MAIL_URL: host, port, user and password.');
  }
};
