import type { VisibleWebhook } from '../db/queries/webhooks.ts';

/** Returns the members of an event about a webhook. Its data has only the host of the URL, since the path may contain a secret. */
export const aboutWebhook = ({ id, org, url, types, disabledAt }: VisibleWebhook) => ({
  org,
  subjectId: id,
  data: { host: new URL(url).host, types, enabled: disabledAt === null },
});
