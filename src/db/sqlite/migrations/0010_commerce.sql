CREATE TABLE `refunds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`charge_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`reference` text NOT NULL,
	`check_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`charge_id`) REFERENCES `charges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_amount_check" CHECK("refunds"."amount" between 1 and 999999999),
	CONSTRAINT "refunds_status_check" CHECK("refunds"."status" in ('pending', 'succeeded', 'failed'))
);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_reference_unique` ON `refunds` (`reference`);--> statement-breakpoint
CREATE INDEX `refunds_by_charge` ON `refunds` (`org`,`charge_id`,`id`);--> statement-breakpoint
CREATE INDEX `refunds_open` ON `refunds` (`check_at`) WHERE "refunds"."status" = 'pending';--> statement-breakpoint
DROP INDEX `products_org_id`;--> statement-breakpoint
CREATE TABLE `__new_products` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`name` text NOT NULL,
	`unit_price` integer NOT NULL,
	`currency` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`archived_at` integer,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "products_unit_price_check" CHECK("__new_products"."unit_price" between 0 and 999999999),
	CONSTRAINT "products_currency_check" CHECK(length("__new_products"."currency") = 3)
);--> statement-breakpoint
INSERT INTO `__new_products` (`id`, `org`, `name`, `unit_price`, `currency`, `created_at`, `updated_at`) SELECT `id`, `org`, `name`, `unit_price`, `currency`, `created_at`, `created_at` FROM `products`;--> statement-breakpoint
DROP TABLE `products`;--> statement-breakpoint
ALTER TABLE `__new_products` RENAME TO `products`;--> statement-breakpoint
CREATE INDEX `products_active` ON `products` (`org`,`id`,`archived_at`) WHERE "products"."archived_at" is null;--> statement-breakpoint
CREATE INDEX `products_archived` ON `products` (`org`,`id`,`archived_at`) WHERE "products"."archived_at" is not null;--> statement-breakpoint
INSERT INTO `refunds` (org, charge_id, user_id, amount, currency, status, reference, check_at, created_at, updated_at) SELECT org, id, user_id, amount, currency, CASE status WHEN 'refunded' THEN 'succeeded' ELSE 'pending' END, reference || '-refund', CASE status WHEN 'refunded' THEN NULL ELSE coalesce(check_at, updated_at) END, coalesce(refund_begun_at, updated_at), updated_at FROM `charges` WHERE status = 'refunded' OR (status = 'succeeded' AND refund_begun_at IS NOT NULL);--> statement-breakpoint
DELETE FROM `idempotency_records` WHERE mutation = 'refundCharge' AND outcome IS NULL AND NOT EXISTS (SELECT 1 FROM refunds WHERE refunds.charge_id = idempotency_records.subject_id AND refunds.status = 'pending');--> statement-breakpoint
UPDATE `idempotency_records` SET subject_id = (SELECT refunds.id FROM refunds WHERE refunds.charge_id = idempotency_records.subject_id) WHERE mutation = 'refundCharge' AND outcome IS NULL;--> statement-breakpoint
CREATE TABLE `__new_charges` (
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
	`amount_refunded` integer DEFAULT 0 NOT NULL,
	`amount_reserved` integer DEFAULT 0 NOT NULL,
	`check_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "charges_amount_check" CHECK("__new_charges"."amount" between 1 and 999999999),
	CONSTRAINT "charges_refunded_check" CHECK("__new_charges"."amount_refunded" between 0 and "__new_charges"."amount_reserved" and "__new_charges"."amount_reserved" <= "__new_charges"."amount"),
	CONSTRAINT "charges_currency_check" CHECK(length("__new_charges"."currency") = 3),
	CONSTRAINT "charges_status_check" CHECK("__new_charges"."status" in ('pending', 'succeeded', 'failed', 'refunded'))
);--> statement-breakpoint
INSERT INTO `__new_charges`("id", "org", "user_id", "order_id", "amount", "currency", "source", "status", "failure_code", "reference", "payment_id", "amount_refunded", "amount_reserved", "check_at", "version", "created_at", "updated_at") SELECT "id", "org", "user_id", "order_id", "amount", "currency", "source", "status", "failure_code", "reference", "payment_id", CASE "status" WHEN 'refunded' THEN "amount" ELSE 0 END, CASE WHEN "status" = 'refunded' OR ("status" = 'succeeded' AND "refund_begun_at" IS NOT NULL) THEN "amount" ELSE 0 END, CASE WHEN "status" = 'succeeded' AND "refund_begun_at" IS NOT NULL THEN NULL ELSE "check_at" END, "version", "created_at", "updated_at" FROM `charges`;--> statement-breakpoint
DROP TABLE `charges`;--> statement-breakpoint
ALTER TABLE `__new_charges` RENAME TO `charges`;--> statement-breakpoint
CREATE UNIQUE INDEX `charges_reference_unique` ON `charges` (`reference`);--> statement-breakpoint
CREATE INDEX `charges_open` ON `charges` (`check_at`) WHERE "charges"."status" = 'pending' or "charges"."check_at" is not null;--> statement-breakpoint
CREATE INDEX `charges_by_payment` ON `charges` (`payment_id`) WHERE "charges"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX `charges_by_org` ON `charges` (`org`,`id`);--> statement-breakpoint
CREATE INDEX `charges_by_order` ON `charges` (`order_id`,`id`) WHERE "charges"."order_id" is not null;--> statement-breakpoint
CREATE INDEX `charges_by_order_and_amount` ON `charges` (`order_id`,`status`,`amount`,`org`) WHERE "charges"."order_id" is not null;--> statement-breakpoint
CREATE INDEX `orders_of_org_by_created_at` ON `orders` (`org`,`created_at`,`id`,`status`,`currency`,`total`,`deleted_at`) WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `orders_of_org_by_total` ON `orders` (`org`,`total`,`id`,`status`,`currency`,`created_at`,`deleted_at`) WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `orders_of_org_by_status` ON `orders` (`org`,`status`,`created_at`,`id`,`currency`,`total`,`deleted_at`) WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `order_items_by_product` ON `order_items` (`product_id`,`order_id`);--> statement-breakpoint
UPDATE `sessions` SET `scopes` = json_insert(`scopes`, '$[#]', 'write:products') WHERE `scopes` LIKE '%"read:users"%' AND `scopes` LIKE '%"read:orders"%' AND `scopes` LIKE '%"read:docs"%' AND `scopes` LIKE '%"read:charges"%' AND `scopes` LIKE '%"read:feed"%' AND `scopes` LIKE '%"write:orders"%' AND `scopes` LIKE '%"write:docs"%' AND `scopes` LIKE '%"write:charges"%';