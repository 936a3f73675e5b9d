DROP INDEX "idempotency_records_by_age";--> statement-breakpoint
CREATE INDEX "idempotency_records_by_age" ON "idempotency_records" USING btree ("status","locked_until");