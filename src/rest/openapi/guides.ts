/** Guides for clients, each a file of `docs/`, and the changelog. Guides for operators are not served. */
export const GUIDES: readonly string[] = [
  'apps',
  'audit',
  'authentication',
  'changelog',
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
