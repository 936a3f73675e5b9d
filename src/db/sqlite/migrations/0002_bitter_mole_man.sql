CREATE TABLE `charges` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`user_id` integer NOT NULL,
	`order_id` integer,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`source` text NOT NULL,
	`status` text NOT NULL,
	`failure_code` text,
	`reference` text NOT NULL,
	`payment_id` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "charges_amount_check" CHECK("charges"."amount" between 1 and 999999999),
	CONSTRAINT "charges_currency_check" CHECK(length("charges"."currency") = 3),
	CONSTRAINT "charges_status_check" CHECK("charges"."status" in ('pending', 'succeeded', 'failed', 'refunded'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `charges_reference_unique` ON `charges` (`reference`);--> statement-breakpoint
CREATE INDEX `charges_by_org` ON `charges` (`org`,`id`);--> statement-breakpoint
CREATE INDEX `charges_by_order` ON `charges` (`order_id`,`id`) WHERE "charges"."order_id" is not null;--> statement-breakpoint
CREATE TABLE `idempotency_records` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`principal` text NOT NULL,
	`mutation` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`status` text NOT NULL,
	`attempt` integer DEFAULT 1 NOT NULL,
	`locked_until` integer NOT NULL,
	`subject_id` integer,
	`outcome` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "idempotency_records_status_check" CHECK("idempotency_records"."status" in ('new', 'done'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idempotency_records_unique` ON `idempotency_records` (`org`,`principal`,`mutation`,`key`);--> statement-breakpoint
CREATE INDEX `idempotency_records_by_age` ON `idempotency_records` (`created_at`);--> statement-breakpoint
CREATE TABLE `payment_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_events_message_unique` ON `payment_events` (`message_id`);--> statement-breakpoint
CREATE INDEX `payment_events_by_age` ON `payment_events` (`received_at`);--> statement-breakpoint
CREATE TABLE `sandbox_payments` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`request` text NOT NULL,
	`payment_id` text NOT NULL,
	`moved` integer NOT NULL,
	`currency` text NOT NULL,
	`declined` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sandbox_payments_key_unique` ON `sandbox_payments` (`key`);