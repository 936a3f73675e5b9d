/**
 * Every table, declared once over a vocabulary of columns. Each engine brings a vocabulary with the same words
 * (`postgres/columns.ts`, `sqlite/columns.ts`), so that the two schemas cannot drift apart.
 *
 * Conventions: members are camelCase and columns snake_case; `id` is an integer that is never given twice;
 * amounts are integer minor units of the row's currency; moments are `Date`, kept to the millisecond in UTC;
 * `version` counts the changes of a row from 1 and is what an ETag is made of.
 */
import type { Vocabulary } from './postgres/columns.ts';
import { defineAccounts } from './tables/accounts.ts';
import { defineCredentials } from './tables/credentials.ts';
import { defineDocuments } from './tables/documents.ts';
import { defineLog } from './tables/log.ts';
import { defineOrders } from './tables/orders.ts';
import { definePayments } from './tables/payments.ts';
import { defineWebhooks } from './tables/webhooks.ts';

export function defineTables(v: Vocabulary) {
  const accounts = defineAccounts(v);
  const sales = defineOrders(v, accounts);
  return {
    ...accounts,
    ...sales,
    ...defineLog(v, accounts),
    ...defineCredentials(v, accounts),
    ...defineDocuments(v, accounts),
    ...definePayments(v, accounts, sales),
    ...defineWebhooks(v, accounts),
  };
}

export type Tables = ReturnType<typeof defineTables>;
