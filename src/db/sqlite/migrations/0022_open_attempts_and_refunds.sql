DROP INDEX `refunds_by_charge`;--> statement-breakpoint
CREATE INDEX `refunds_by_charge` ON `refunds` (`charge_id`,`id`);--> statement-breakpoint
DROP INDEX `webhook_attempts_open`;--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_attempts_open` ON `webhook_attempts` (`delivery_id`) WHERE coalesce("webhook_attempts"."finished_at" is null, true);