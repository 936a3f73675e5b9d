CREATE TABLE `webhook_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`delivery_id` integer NOT NULL,
	`webhook_id` integer NOT NULL,
	`number` integer NOT NULL,
	`trigger` text NOT NULL,
	`retries_left` integer NOT NULL,
	`due_at` integer NOT NULL,
	`leased_until` integer,
	`claims` integer DEFAULT 0 NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`duration_ms` integer,
	`http_status` integer,
	`error` text,
	`answer` text,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`delivery_id`) REFERENCES `webhook_deliveries`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_attempts_trigger_check" CHECK("webhook_attempts"."trigger" in ('schedule', 'redelivery')),
	CONSTRAINT "webhook_attempts_error_check" CHECK("webhook_attempts"."error" in ('target_refused', 'name_not_resolved', 'connection_failed', 'tls_failed', 'timeout', 'redirect', 'status', 'interrupted', 'event_gone'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_attempts_number` ON `webhook_attempts` (`delivery_id`,`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_attempts_open` ON `webhook_attempts` (`delivery_id`) WHERE "webhook_attempts"."finished_at" is null;--> statement-breakpoint
CREATE INDEX `webhook_attempts_due` ON `webhook_attempts` (`webhook_id`,`due_at`,`id`) WHERE "webhook_attempts"."finished_at" is null;--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`webhook_id` integer NOT NULL,
	`event_id` integer NOT NULL,
	`event_type` text NOT NULL,
	`message_id` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_deliveries_status_check" CHECK("webhook_deliveries"."status" in ('pending', 'delivered', 'failed'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_webhook_event` ON `webhook_deliveries` (`webhook_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_age` ON `webhook_deliveries` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`secret` text NOT NULL,
	`former_secret` text,
	`former_secret_until` integer,
	`last_event_id` integer NOT NULL,
	`disabled_at` integer,
	`disabled_reason` text,
	`last_good_at` integer NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhooks_disabled_reason_check" CHECK("webhooks"."disabled_reason" in ('by_hand', 'gone', 'failing'))
);
--> statement-breakpoint
CREATE INDEX `webhooks_by_org` ON `webhooks` (`org`,`id`) WHERE "webhooks"."deleted_at" is null;