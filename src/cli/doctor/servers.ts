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
  const { openRedis } = await import('../../cluster/redis.ts');
  let lost: Error | undefined;
  const client = await openRedis({
    url: redis.url,
    onLost: (error) => {
      lost = error;
    },
    onBack: () => {},
  });
  try {
    await client.ping();
    return finding.ok(`${place} responds`);
  } catch (error) {
    return finding.problem(
      `${place} does not respond: ${reasonOf(lost ?? error)}`,
      'Start it, or correct REDIS_URL. Until then instances do not cooperate: each counts its own budgets, and events of others arrive late.',
    );
  } finally {
    client.disconnect();
  }
};

/** Checks the mail server, if it is configured. */
export const checkMail: Check = async ({ config: { mail, production } }) => {
  const finding = findingsOf('mail');
  if (mail.url === undefined) {
    if (!production) return finding.ok('messages go to the log');
    return finding.warning(
      'MAIL_URL is not set: password resets and invitations are not mailed',
      'Set MAIL_URL, or create links with "portico user invite" and pass them on.',
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
