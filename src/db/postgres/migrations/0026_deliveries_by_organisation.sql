-- step by step: apply-migrations.ts says what that means
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_by_webhook_new" ON "webhook_deliveries" USING btree ("org","webhook_id","id");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "webhook_deliveries_by_webhook";
--> statement-breakpoint
ALTER INDEX "webhook_deliveries_by_webhook_new" RENAME TO "webhook_deliveries_by_webhook";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_by_status_new" ON "webhook_deliveries" USING btree ("org","webhook_id","status","id");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "webhook_deliveries_by_status";
--> statement-breakpoint
ALTER INDEX "webhook_deliveries_by_status_new" RENAME TO "webhook_deliveries_by_status";
