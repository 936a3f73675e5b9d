-- step by step: apply-migrations.ts says what that means
CREATE INDEX CONCURRENTLY IF NOT EXISTS "refunds_by_charge_new" ON "refunds" USING btree ("charge_id","id");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "refunds_by_charge";
--> statement-breakpoint
ALTER INDEX "refunds_by_charge_new" RENAME TO "refunds_by_charge";
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "webhook_attempts_open_new" ON "webhook_attempts" USING btree ("delivery_id","org") WHERE coalesce("webhook_attempts"."finished_at" is null, true);
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "webhook_attempts_open";
--> statement-breakpoint
ALTER INDEX "webhook_attempts_open_new" RENAME TO "webhook_attempts_open";
