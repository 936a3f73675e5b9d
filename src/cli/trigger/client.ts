/** Runs operations as a member of an organisation, as a client with the member's token would. */
import { pino } from 'pino';
import { type App, createApp } from '../../app.ts';
import { loadKeys } from '../../auth/keys.ts';
import { personAs } from '../../auth/policy.ts';
import type { Config } from '../../config.ts';
import { systemClock } from '../../core/clock.ts';
import type { Role } from '../../core/roles.ts';
import type { Database, OpenDatabase } from '../../db/database.ts';
import { membersAfter } from '../../db/queries/members.ts';
import type { UserRow } from '../../db/rows.ts';
import { createSandbox } from '../../payments/sandbox.ts';
import type { Variables } from '../../pipeline/compile.ts';
import { createContext } from '../../pipeline/context.ts';
import { readApi } from '../../rest/api.ts';
import { allRows } from '../database.ts';
import { performerOf } from '../operator.ts';
import { CommandError } from '../terminal.ts';

/** The client address of the operations, for the audit log and the limit of sign-ins. */
const ADDRESS = '127.0.0.1';

export interface TriggerClient {
  readonly org: string;
  /** An administrator, the default caller of operations. */
  readonly userId: number;
  readonly app: App;
  /**
   * Runs an operation with one root field, and returns its value.
   *
   * @param variables without `$org`, which is the organisation.
   * @param as another member as the caller, or null for an anonymous caller.
   * @throws ApiError as a client would get it.
   */
  run<Value>(text: string, variables?: Variables, as?: Member | null): Promise<Value>;
}

interface Member {
  readonly id: number;
  readonly role: Role;
}

/**
 * Creates a server without a socket for the work. Webhooks and mail are left to the running servers.
 *
 * @throws CommandError if the organisation has no administrator.
 */
export async function withTriggerClient<T>(
  database: OpenDatabase,
  config: Config,
  org: string,
  work: (client: TriggerClient) => Promise<T>,
): Promise<T> {
  const { id: userId } = await administratorOf(database, org);
  const api = readApi(config);
  const app = await createApp({
    config,
    api,
    database,
    keys: await loadKeys({ file: config.auth.keysFile, createWhenMissing: true, clock: systemClock }),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    gateway: createSandbox({ database, clock: systemClock }),
  });
  try {
    const perform = performerOf(api.schema);
    const run: TriggerClient['run'] = (text, variables, as = { id: userId, role: 'admin' }) => {
      const principal = as && personAs('user', { ...as, org });
      const context = createContext(app.services, { principal, address: ADDRESS, at: systemClock() });
      return perform(context, text, { org, ...variables });
    };
    return await work({ org, userId, app, run });
  } finally {
    await app.http.close();
  }
}

async function administratorOf(database: Database, org: string): Promise<UserRow> {
  for await (const member of allRows(database, org, membersAfter)) {
    if (member.role === 'admin' && member.kind === 'person') return member;
  }
  throw new CommandError(`"${org}" has no administrator. Add one with "npx portico user add".`);
}
