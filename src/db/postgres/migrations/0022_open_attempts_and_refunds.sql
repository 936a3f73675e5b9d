DROP INDEX "refunds_by_charge";--> statement-breakpoint
DROP INDEX "webhook_attempts_open";--> statement-breakpoint
CREATE INDEX "refunds_by_charge" ON "refunds" USING btree ("charge_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_attempts_open" ON "webhook_attempts" USING btree ("delivery_id","org") WHERE coalesce("webhook_attempts"."finished_at" is null, true);