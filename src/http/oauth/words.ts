/** Descriptions of scopes on the consent page. */
import type { Scope } from '../../auth/policy.ts';
import type { IDENTITY_SCOPES } from './provider-payloads.ts';

export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'read:users': 'See the people of your organisation',
  'read:orders': 'See orders and products',
  'read:docs': 'Read documents that you can read',
  'read:charges': 'See charges',
  'read:feed': 'Follow what happens in your organisation',
  'read:audit': 'Read the audit log of your organisation: who did what, and from where',
  'write:orders': 'Place, change, ship, cancel and delete orders',
  'write:docs': 'Write, share and delete documents',
  'write:charges': 'Make charges and refunds',
  'write:products': 'Add, change and archive products',
  'write:users': 'Change and remove people, and end their sessions',
  'manage:api-keys': 'See and revoke API keys and client certificates',
  'manage:webhooks': 'Manage webhooks, which send events to other servers',
  'manage:apps': 'See and remove apps and grants',
};

export const IDENTITY_WORDS: Readonly<Record<(typeof IDENTITY_SCOPES)[number], string>> = {
  openid: 'Know who you are',
  profile: 'See your name',
  email: 'See your email address',
  offline_access: 'Stay connected while you are away',
};
