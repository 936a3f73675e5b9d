-- step by step: apply-migrations.ts says what that means
CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_by_status" ON "webhook_deliveries" USING btree ("webhook_id","status","id");