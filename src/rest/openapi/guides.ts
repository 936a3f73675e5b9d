/** Guides for clients, each a file of `docs/`. Guides for operators are not served. */
export const GUIDES: readonly string[] = [
  'authentication',
  'clients',
  'errors',
  'events',
  'idempotency',
  'paging',
  'streams',
  'versions',
  'webhooks',
];
