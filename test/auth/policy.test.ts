import { describe, expect, test } from 'vitest';
import { documentRight } from '../../resolvers/document/access.ts';
import {
  authorize,
  type Principal,
  ROLE_SCOPES,
  requireUpdateOfUser,
  SCOPES,
  type Scope,
  scopesWithin,
} from '../../src/auth/policy.ts';
import { ApiError } from '../../src/core/errors.ts';
import { ROLES, type Role } from '../../src/core/roles.ts';

function principal(role: Role, overrides: Partial<Principal> = {}): Principal {
  const scopes = ROLE_SCOPES[role];
  return { kind: 'user', userId: 7, org: 'acme', role, scopes, expiresAt: 0, ...overrides };
}

/** The outcome of changing a user, for a caller with these scopes. */
function updating(caller: Principal, userId: number): string {
  try {
    requireUpdateOfUser(caller, userId);
    return 'allowed';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.code, error.scope].filter(Boolean).join(' ');
  }
}

describe('roles', () => {
  test('each includes the one below it, and the last includes everything', () => {
    for (const [index, role] of ROLES.slice(1).entries()) {
      const below = ROLES[index];
      if (below) expect(scopesWithin(role, ROLE_SCOPES[below])).toEqual(scopesWithin(below, SCOPES));
    }
    expect([...ROLE_SCOPES.admin]).toEqual([...SCOPES]);
  });

  test('a viewer only reads, an editor also writes orders, documents, charges and products', () => {
    expect([...ROLE_SCOPES.viewer].every((scope) => scope.startsWith('read:'))).toBe(true);
    const written = [...ROLE_SCOPES.editor].filter((scope) => !ROLE_SCOPES.viewer.has(scope));
    expect(written).toEqual(['write:orders', 'write:docs', 'write:charges', 'write:products']);
  });

  test("scopes are limited to the role's, without duplicates and in the order of the catalogue", () => {
    const granted = ['write:docs', 'read:docs', 'write:users', 'read:docs', 'read:secrets'];
    expect(scopesWithin('editor', granted)).toEqual(['read:docs', 'write:docs']);
    expect(scopesWithin('viewer', granted)).toEqual(['read:docs']);
  });
});

describe('authorize', () => {
  test('requires a caller first', () => {
    expect(() => authorize(null, {})).toThrow(expect.objectContaining({ code: 'unauthenticated' }));
    expect(() => authorize(principal('viewer'), {})).not.toThrow();
  });

  test('names the missing scope', () => {
    const missing = expect.objectContaining({
      code: 'insufficient_scope',
      message: expect.stringContaining('write:docs'),
    });
    expect(() => authorize(principal('viewer'), { scope: 'write:docs' })).toThrow(missing);
    expect(() => authorize(principal('editor'), { scope: 'write:docs' })).not.toThrow();
  });

  test('a narrowed administrator has no more than its scopes', () => {
    const narrowed = principal('admin', { scopes: new Set<Scope>(['read:docs']) });
    expect(() => authorize(narrowed, { scope: 'read:orders' })).toThrow(
      expect.objectContaining({ code: 'insufficient_scope' }),
    );
  });

  test('requires the role or a higher one', () => {
    const refused = expect.objectContaining({ code: 'insufficient_role' });
    expect(() => authorize(principal('editor'), { role: 'admin', scope: 'write:docs' })).toThrow(refused);
    expect(() => authorize(principal('viewer'), { role: 'editor' })).toThrow(refused);
    expect(() => authorize(principal('admin'), { role: 'editor' })).not.toThrow();
  });
});

describe('users', () => {
  test('users may change themselves, and only an administrator may change others', () => {
    for (const role of ROLES) {
      expect(updating(principal(role), 7)).toBe('allowed');
      expect(updating(principal(role), 8)).toBe(role === 'admin' ? 'allowed' : 'forbidden');
    }
  });

  test('neither a narrowed sign-in nor an API key can change its owner', () => {
    const narrowed = new Set([...ROLE_SCOPES.viewer].slice(1));
    expect(updating(principal('viewer', { scopes: narrowed }), 7)).toBe('insufficient_scope read:users');
    expect(updating(principal('viewer', { kind: 'api_key' }), 7)).toBe('forbidden');
    const writer = new Set<Scope>(['write:users']);
    expect(updating(principal('admin', { scopes: writer, kind: 'api_key' }), 8)).toBe('allowed');
    const reader = new Set<Scope>(['read:users']);
    expect(updating(principal('admin', { scopes: reader }), 7)).toMatch(/^insufficient_scope read:orders /);
  });
});

describe('rights to write documents', () => {
  const withScopes = (role: Role, scopes: readonly Scope[]) => principal(role, { scopes: new Set(scopes) });

  test.each([
    ['a viewer', principal('viewer'), 'share'],
    ['an editor', principal('editor'), 'role'],
    ['an admin', principal('admin'), 'role'],
    ['a viewer whose token was narrowed', withScopes('viewer', ['read:docs']), 'none'],
    ['an editor whose token was narrowed to writing documents', withScopes('editor', ['write:docs']), 'role'],
    ['an editor whose token was narrowed to reading', withScopes('editor', [...ROLE_SCOPES.viewer]), 'none'],
    ['an admin whose token was narrowed to reading', withScopes('admin', ['read:docs']), 'none'],
    ['a key of a viewer', principal('viewer', { kind: 'api_key' }), 'none'],
    ['a key of an editor', principal('editor', { kind: 'api_key' }), 'role'],
    [
      'a key that only reads',
      principal('editor', { kind: 'api_key', scopes: new Set<Scope>(['read:docs']) }),
      'none',
    ],
  ])('%s', (_title, caller, right) => {
    expect(documentRight(caller)).toBe(right);
  });
});
