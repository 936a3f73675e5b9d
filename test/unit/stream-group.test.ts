import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Principal, SCOPES, type Scope } from '../../src/auth/policy.ts';
import { createCursors } from '../../src/core/cursors.ts';
import type { EventRow } from '../../src/db/rows.ts';
import type { LogPosition } from '../../src/events/log-position.ts';
import type { Rights } from '../../src/events/rights.ts';
import { Selection } from '../../src/events/selection.ts';
import type { Services } from '../../src/pipeline/context.ts';
import { createMemoryBudget } from '../../src/rate-limit/budget.ts';
import { Follower, type StreamSession } from '../../src/subscriptions/follower.ts';
import { Group, type GroupParts } from '../../src/subscriptions/group.ts';
import type { StreamMessage } from '../../src/subscriptions/stream-message.ts';

/** A follower whose client reads everything at once. */
class SendingFollower extends Follower {
  override readonly end: () => void;
  override readonly fallBehind = fail;

  constructor(
    session: StreamSession,
    position: LogPosition,
    send: (message: StreamMessage) => void,
    end: () => void,
  ) {
    super(session, 'websocket', 'public', position);
    this.sink = { send, cork: () => {}, uncork: () => {}, waiting: 0, unsent: 0, mustRead: () => false, end };
    this.end = end;
  }
}

test('a subscriber whose token expires while an event is prepared does not receive that event', async () => {
  let now = 999;
  const clock = () => new Date(now);
  const services = {
    clock,
    cursors: createCursors(() => [createSecretKey(Buffer.alloc(32, 1))]),
    budget: createMemoryBudget({ points: 1, perSecond: 1 }),
  } as unknown as Services;
  const principal: Principal = {
    kind: 'user',
    userId: 1,
    org: 'acme',
    role: 'viewer',
    scopes: new Set(['read:orders']),
    expiresAt: 1,
  };
  const ended: { code: string; position: number }[] = [];
  const sent: unknown[] = [];
  const session = {
    principal,
    address: '127.0.0.1',
    end: ({ code }: { code: string }) => void ended.push({ code, position: follower.position.id }),
  };
  const send = (message: unknown) => void sent.push(message);
  const follower = new SendingFollower(session, { id: 4 }, send, () => {
    follower.isOpen = false;
  });
  const selection = new Selection({
    org: 'acme',
    after: undefined,
    filter: { types: null, subject: null },
  });
  const operation = {
    sharing: 'everybody',
    run: async () => {
      now = 1000;
      return { data: {} };
    },
    encode: () => '{}',
    price: { actual: () => 1 },
  };
  const group = new Group({
    services,
    operation,
    selection,
    variables: {},
    requested: 1,
    onFailure: fail,
  } as unknown as GroupParts);
  const rights: Rights = {
    roleOf: () => 'viewer',
    isUsable: () => true,
    scopesOf: () => [],
    hasEnded: () => false,
    sees: () => true,
  };
  await group.pass({ id: 5, org: 'acme', type: 'order.created' } as EventRow, rights, [follower]);
  expect(sent).toEqual([]);
  expect(ended).toEqual([{ code: 'token_expired', position: 4 }]);
  expect(follower.position.id).toBe(4);
});

test.each(['rights', 'person'] as const)(
  '%s: no subscriber receives an event prepared for other rights',
  async (sharing) => {
    const all = new Set(SCOPES);
    const base = { org: 'acme', role: 'admin', scopes: all, expiresAt: Number.POSITIVE_INFINITY } as const;
    const principals: Principal[] = [
      { ...base, kind: 'user', userId: 1, sessionId: 1 },
      { ...base, kind: 'user', userId: 1, sessionId: 2 },
      { ...base, kind: 'api_key', userId: 1, credential: { table: 'apiKeys', id: 1 } },
      { ...base, kind: 'operator', userId: 1 },
      { ...base, kind: 'user', userId: 1, scopes: new Set<Scope>(['read:orders']) },
      { ...base, kind: 'user', userId: 1, role: 'editor' },
      { ...base, kind: 'user', userId: 2 },
    ];
    const shown = ({ kind, userId, role, scopes }: Principal) =>
      JSON.stringify({ kind, role, scopes: [...scopes].sort(), ...(sharing === 'person' && { userId }) });
    let runs = 0;
    const operation = {
      sharing,
      run: async (_event: unknown, { principal }: { principal: Principal }) => {
        runs += 1;
        return { data: { seen: shown(principal) } };
      },
      encode: ({ data }: { data: { seen: string } }) => data.seen,
      price: { actual: () => 1 },
    };
    const services = {
      clock: () => new Date(0),
      cursors: createCursors(() => [createSecretKey(Buffer.alloc(32, 1))]),
      budget: createMemoryBudget({ points: 100, perSecond: 1 }),
      notePoints() {},
    } as unknown as Services;
    const selection = new Selection({
      org: 'acme',
      after: undefined,
      filter: { types: null, subject: null },
    });
    const parts = { services, operation, selection, variables: {}, requested: 1, onFailure: fail };
    const group = new Group(parts as unknown as GroupParts);
    const sent: (string | undefined)[] = principals.map(() => undefined);
    const followers = principals.map((principal, index) => {
      const send = ({ payload }: StreamMessage) => {
        sent[index] = payload;
      };
      return new SendingFollower({ principal, address: '', end: fail }, { id: 0 }, send, fail);
    });
    const rights: Rights = {
      roleOf: () => 'admin',
      isUsable: () => true,
      scopesOf: () => [],
      hasEnded: () => false,
      sees: () => true,
    };
    await group.pass({ id: 1, org: 'acme', type: 'order.created' } as EventRow, rights, followers);
    expect(sent).toEqual(principals.map(shown));
    // Subscribers with the same rights share one preparation, which is the purpose of groups.
    expect(runs).toBe(new Set(principals.map(shown)).size);
  },
);

const fail = (error?: unknown) => {
  throw error;
};
