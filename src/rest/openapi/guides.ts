/** What clients are told at length, each a file of `docs/`. Those for whoever runs the server are not served. */
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
