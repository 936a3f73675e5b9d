/** A sign-in during a change that ends all sessions of a person: it fails, or its session ends as well. */
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { setPassword } from '../../src/auth/password-changes.ts';
import { operatorIn } from '../../src/cli/operator.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { OpenDatabase } from '../../src/db/database.ts';
import { findUserByEmail } from '../../src/db/queries/users.ts';
import { linkToken } from '../access/shared/fixtures.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { addMember, type Member, signIn } from '../support/fixtures/members.ts';
import { Browser, oauthClient } from '../support/oauth.ts';
import { waitUntil } from '../support/process.ts';
import type { Session } from '../support/response-bodies.ts';
import { membersOf } from '../support/test-doubles.ts';

const NEXT = 'another long harbour';

interface Outcome {
  /** Null if the sign-in succeeded. */
  readonly code: string | null;
  /** Whether the session of the sign-in can be used. */
  works(): Promise<boolean>;
}

/** Prepares something for a member, and returns the function that does it. */
type Prepared<T> = (member: Member) => Promise<() => Promise<T>>;
type Catalogue<T> = readonly (readonly [title: string, prepare: Prepared<T>])[];

/** The changes that end all sessions of a person. */
const changesOf = (app: TestApp, engine: TestEngine): Catalogue<unknown> => [
  [
    'a change of the password',
    async (member) => {
      const { token } = await signIn(app, member);
      const body = { current_password: member.password, new_password: NEXT };
      return () => successful(app.put(`/v1/users/${member.id}/password`, { as: { token }, body }));
    },
  ],
  [
    'a reset of the password',
    async ({ id: userId }) => {
      const path = `/v1/auth/password-resets/${await linkToken(engine, { userId })}`;
      return () => successful(app.put(path, { body: { password: NEXT } }));
    },
  ],
  [
    'a new password from an operator',
    async ({ email }) => {
      const { database } = engine;
      const person = await findUserByEmail(database, email);
      if (!person) throw new Error(`There is no ${email}.`);
      return () => setPassword(database, app.clock, operatorIn(person.org), person, NEXT);
    },
  ],
  [
    'a change of the role',
    async ({ id }) =>
      () =>
        successful(app.patch(`/v1/orgs/acme/users/${id}`, { as: 'ada', body: { role: 'viewer' } })),
  ],
  [
    'the removal of the member',
    async ({ id }) =>
      () =>
        successful(app.delete(`/v1/orgs/acme/users/${id}`, { as: 'ada' })),
  ],
];

async function successful(request: Promise<{ readonly status: number; readonly text: string }>) {
  const { status, text } = await request;
  expect(status, text).toBeLessThan(300);
}

const outcomeOf = (app: TestApp, code: string | null, refreshToken = ''): Outcome => ({
  code,
  async works() {
    const body = { refresh_token: refreshToken };
    return (await app.post('/v1/auth/refresh', { body })).status === 200;
  },
});

const throughRest =
  (app: TestApp): Prepared<Outcome> =>
  async ({ email, password }) =>
  async () => {
    const { status, body } = await app.post<Session & ErrorBody>('/v1/auth/login', {
      body: { email, password },
    });
    return outcomeOf(app, status === 200 ? null : body.error.code, body.refresh_token);
  };

const throughGraph =
  (app: TestApp): Prepared<Outcome> =>
  async ({ email, password }) =>
  async () => {
    const { body } = await app.graphql<{ login: { refreshToken: string } | null }>(
      'mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { refreshToken } }',
      { email, password },
    );
    return outcomeOf(app, body.errors?.[0]?.extensions.code ?? null, body.data?.login?.refreshToken);
  };

function throughBrowser(app: TestApp): Prepared<Outcome> {
  const { createApp, authorization } = oauthClient(app);
  return async (member) => {
    const made = await createApp();
    const browser = new Browser(app);
    const form = await browser.visit((await authorization(made)).url.href);
    return async () => {
      const { status } = await browser.signIn(form, member);
      return {
        code: status === 401 ? 'invalid_credentials' : null,
        async works() {
          const { url } = await authorization(made, { prompt: 'none' });
          const { searchParams } = new URL((await browser.visit(url.href)).url);
          return searchParams.get('error') !== 'login_required';
        },
      };
    };
  };
}

describeEachEngine('a sign-in whose password was verified', (engine) => {
  let interfere: (() => Promise<unknown>) | undefined;
  /** Runs once, between the verification of the password and the transaction of the session. */
  const around = (database: OpenDatabase): OpenDatabase => ({
    ...membersOf(database),
    async transaction(work, signal, flow) {
      // Without a flow, it is one of the server itself, such as that of an audit entry of the last test.
      if (flow) {
        const before = interfere;
        interfere = undefined;
        await before?.();
      }
      return database.transaction(work, signal, flow);
    },
  });
  const app = startApp(engine, { around, realTime: true });

  describe.each<readonly [string, Prepared<Outcome>]>([
    ['REST', throughRest(app)],
    ['the graph', throughGraph(app)],
    ['the form of the authorization server', throughBrowser(app)],
  ])('through %s', (_door, prepare) => {
    test.each(changesOf(app, engine))('fails after %s', async (_title, prepareChange) => {
      const member = await addMember(app, 'editor');
      const attempt = await prepare(member);
      interfere = await prepareChange(member);
      const { code, works } = await attempt();
      expect(interfere).toBeUndefined();
      expect([code, await works()]).toEqual(['invalid_credentials', false]);
    });
  });
});

/** The transactions of the database that wait for a lock. */
const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

// On SQLite, transactions that write do not overlap.
describeEachEngine(
  'a sign-in beside the transaction',
  (engine) => {
    const app = startApp(engine, { realTime: true });
    const prepare = throughRest(app);

    /** Holds what a statement locks, until the returned function is called. */
    async function hold(sql: string): Promise<() => Promise<void>> {
      const client = new pg.Client({ connectionString: engine.place.url });
      await client.connect();
      await client.query(`begin; ${sql}`);
      return () => client.end();
    }

    /** Starts something, and resolves when it has ended or so many transactions wait. */
    async function start<T>(run: () => Promise<T>, waiting: number): Promise<{ readonly ended: Promise<T> }> {
      let hasEnded = false;
      const ended = run().finally(() => {
        hasEnded = true;
      });
      // It may reject before the caller awaits it.
      ended.catch(() => undefined);
      const isWaiting = async () => (await engine.place.query(WAITING)).length === waiting;
      await waitUntil(async () => hasEnded || (await isWaiting()), `${waiting} transactions to wait`);
      return { ended };
    }

    /**
     * Lets a sign-in and a change of a new member overlap, and returns how the sign-in ended. On a machine that stalls, statements
     * end by their timeout, which says nothing about the overlap: then it is done again.
     */
    async function overlap(
      prepareChange: Prepared<unknown>,
      inOrder: (
        member: Member,
        signIn: () => Promise<Outcome>,
        change: () => Promise<unknown>,
      ) => Promise<Outcome>,
    ): Promise<Outcome> {
      for (;;) {
        const member = await addMember(app, 'editor');
        await signIn(app, member);
        const attempt = await prepare(member);
        const change = await prepareChange(member);
        const start = performance.now();
        const [outcome] = await Promise.allSettled([inOrder(member, attempt, change)]);
        if (performance.now() - start >= LIMITS.statementTimeout) continue;
        if (outcome.status === 'rejected') throw outcome.reason;
        return outcome.value;
      }
    }

    const changes = changesOf(app, engine);

    // This comes first: later tests cause entries of failed sign-ins, which are written with a delay and would wait for the lock as well.
    describe.each(changes)('of %s', (_title, prepareChange) => {
      engine.testConcurrent('that began before it ends with the change', async () => {
        const { code, works } = await overlap(prepareChange, async (_member, attempt, change) => {
          // The sign-in has inserted the session when it writes to the audit log.
          const release = await hold('lock table audit_entries in exclusive mode');
          const signingIn = await start(attempt, 1);
          const changing = await start(change, 2);
          await release();
          await changing.ended;
          return signingIn.ended;
        });
        expect([code, await works()]).toEqual([null, false]);
      });
    });

    describe.each(changes)('of %s', (_title, prepareChange) => {
      engine.testConcurrent('waits for its end, and fails', async () => {
        const { code, works } = await overlap(prepareChange, async (member, attempt, change) => {
          // The change has replaced the row of the person when it ends the sessions.
          const release = await hold(`select 1 from sessions where user_id = ${member.id} for update`);
          const changing = await start(change, 1);
          const signingIn = await start(attempt, 2);
          await release();
          await changing.ended;
          return signingIn.ended;
        });
        expect([code, await works()]).toEqual(['invalid_credentials', false]);
      });
    });
  },
  'postgres',
);
