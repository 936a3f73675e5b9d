/**
 * Every fixed limit of the server, with its unit and its reason, one file per subject. No other code contains a bare number
 * that a client could run into. Configurable limits are in `src/config.ts`.
 */
import { AGENTS } from './limits/agents.ts';
import { AUDIT } from './limits/audit.ts';
import { AUTH } from './limits/auth.ts';
import { DATABASE } from './limits/database.ts';
import { EXPORTS } from './limits/exports.ts';
import { GRAPHQL } from './limits/graphql.ts';
import { HTTP } from './limits/http.ts';
import { MAIL } from './limits/mail.ts';
import { PAYMENTS } from './limits/payments.ts';
import { PRICES } from './limits/prices.ts';
import { RESOURCES } from './limits/resources.ts';
import { SCHEDULING } from './limits/scheduling.ts';
import { SEARCH } from './limits/search.ts';
import { STREAMS } from './limits/streams.ts';
import { USAGE } from './limits/usage.ts';
import { WEBHOOKS } from './limits/webhooks.ts';

export const LIMITS = {
  ...HTTP,
  ...SCHEDULING,
  ...DATABASE,
  ...GRAPHQL,
  ...PRICES,
  ...STREAMS,
  ...EXPORTS,
  ...RESOURCES,
  ...PAYMENTS,
  ...WEBHOOKS,
  ...AUTH,
  ...MAIL,
  ...AUDIT,
  ...SEARCH,
  ...USAGE,
  ...AGENTS,
} as const;
