/** Guides for clients, each a file of `docs/`. Guides for operators are not served. */
export const GUIDES: readonly string[] = [
  'apps',
  'audit',
  'authentication',
  'clients',
  'errors',
  'events',
  'exports',
  'idempotency',
  'paging',
  'people',
  'products',
  'streams',
  'versions',
  'webhooks',
];
