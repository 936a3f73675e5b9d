CREATE TABLE `order_counts` (
	`org` text NOT NULL,
	`user_id` integer NOT NULL,
	`status` text NOT NULL,
	`orders` integer NOT NULL,
	PRIMARY KEY(`org`, `user_id`, `status`),
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_counts_status_check" CHECK("order_counts"."status" in ('pending', 'cancelled', 'shipped'))
);
--> statement-breakpoint
DROP INDEX `documents_by_org`;--> statement-breakpoint
DROP INDEX `documents_by_author`;--> statement-breakpoint
CREATE INDEX `documents_by_classification` ON `documents` (`org`,`classification`,`id`,`author_id`,`deleted_at`) WHERE "documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `documents_by_org` ON `documents` (`org`,`id`,`classification`,`author_id`,`deleted_at`) WHERE "documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `documents_by_author` ON `documents` (`org`,`author_id`,`id`,`classification`,`deleted_at`) WHERE "documents"."deleted_at" is null;--> statement-breakpoint
DROP INDEX `orders_by_created_at`;--> statement-breakpoint
DROP INDEX `orders_by_total`;--> statement-breakpoint
CREATE INDEX `orders_by_status_and_total` ON `orders` (`org`,`user_id`,`status`,`total`,`id`,`deleted_at`) WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `orders_by_status_and_id` ON `orders` (`org`,`user_id`,`status`,`id`,`deleted_at`) WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `orders_by_created_at` ON `orders` (`org`,`user_id`,`created_at`,`id`,`deleted_at`) WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX `orders_by_total` ON `orders` (`org`,`user_id`,`total`,`id`,`deleted_at`) WHERE "orders"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE `charges` ADD `refund_begun_at` integer;--> statement-breakpoint
ALTER TABLE `charges` ADD `check_at` integer;--> statement-breakpoint
CREATE INDEX `charges_open` ON `charges` (`check_at`) WHERE "charges"."status" = 'pending' or "charges"."check_at" is not null;--> statement-breakpoint
CREATE INDEX `charges_by_payment` ON `charges` (`payment_id`) WHERE "charges"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX `charges_by_order_and_amount` ON `charges` (`order_id`,`status`,`amount`,`org`) WHERE "charges"."order_id" is not null;--> statement-breakpoint
CREATE INDEX `users_by_role` ON `users` (`org`,`role`,`id`) WHERE "users"."removed_at" is null;--> statement-breakpoint
INSERT INTO `order_counts` (`org`, `user_id`, `status`, `orders`) SELECT `org`, `user_id`, `status`, count(*) FROM `orders` WHERE `deleted_at` IS NULL GROUP BY `org`, `user_id`, `status`;