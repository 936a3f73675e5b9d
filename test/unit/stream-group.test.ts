import { createSecretKey } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Principal } from '../../src/auth/policy.ts';
import { createMemoryBudget } from '../../src/budget/memory.ts';
import { createCursors } from '../../src/cursors.ts';
import type { EventRow } from '../../src/db/rows.ts';
import type { Rights } from '../../src/events/rights.ts';
import { Selection } from '../../src/events/selection.ts';
import type { Services } from '../../src/graphql/context.ts';
import { Follower } from '../../src/graphql/streams/follower.ts';
import { Group, type GroupParts } from '../../src/graphql/streams/group.ts';

test('whose token ends while an event is made for it does not stand behind that event', async () => {
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
    scopes: new Set(),
    expiresAt: 1,
    tokenId: 't',
  };
  const ended: { code: string; position: number }[] = [];
  const sent: unknown[] = [];
  const session = {
    principal,
    address: '127.0.0.1',
    end: ({ code }: { code: string }) => void ended.push({ code, position: follower.position }),
  };
  const follower = new Follower(session, 'public', 4);
  follower.attach(
    { send: (emission) => void sent.push(emission), waiting: 0, isFull: () => false, end: () => undefined },
    () => {
      follower.isOpen = false;
    },
    fail,
  );
  const selection = new Selection({ org: 'acme', afterId: undefined, matches: () => true });
  const operation = {
    sharing: 'everybody',
    run: async () => {
      now = 1000;
      return { data: {} };
    },
    encode: () => '{}',
  };
  const group = new Group({
    services,
    operation,
    selection,
    variables: {},
    requested: 1,
    actual: () => 1,
    onFailure: fail,
  } as unknown as GroupParts);
  const rights: Rights = { roleOf: () => 'viewer', isUsable: () => true, sees: () => true };
  await group.pass({ id: 5, org: 'acme' } as EventRow, rights, [follower]);
  expect(sent).toEqual([]);
  expect(ended).toEqual([{ code: 'token_expired', position: 4 }]);
  expect(follower.position).toBe(4);
});

const fail = (error?: unknown) => {
  throw error;
};
