DROP INDEX `webhook_deliveries_by_webhook`;--> statement-breakpoint
DROP INDEX `webhook_deliveries_by_status`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`org`,`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_status` ON `webhook_deliveries` (`org`,`webhook_id`,`status`,`id`);