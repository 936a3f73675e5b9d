-- step by step: apply-migrations.ts says what that means
CREATE INDEX CONCURRENTLY IF NOT EXISTS "charges_by_order_and_amount_new" ON "charges" USING btree ("order_id","status","currency","amount","org") WHERE "charges"."order_id" is not null;
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "charges_by_order_and_amount";
--> statement-breakpoint
ALTER INDEX "charges_by_order_and_amount_new" RENAME TO "charges_by_order_and_amount";
