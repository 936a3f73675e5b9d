/** The tables one by one, as drizzle-kit looks for them. Nothing else reads this file. */
import { sqliteTables } from './columns.ts';

export const {
  organisations,
  users,
  products,
  orders,
  orderCounts,
  orderItems,
  events,
  logStarts,
  sessions,
  refreshTokens,
  apiKeys,
  documents,
  shares,
  charges,
  idempotencyRecords,
  paymentEvents,
  sandboxPayments,
  webhooks,
  webhookDeliveries,
  webhookAttempts,
} = sqliteTables;
