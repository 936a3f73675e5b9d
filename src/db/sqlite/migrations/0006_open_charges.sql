ALTER TABLE `charges` ADD `refund_begun_at` integer;--> statement-breakpoint
ALTER TABLE `charges` ADD `check_at` integer;--> statement-breakpoint
CREATE INDEX `charges_open` ON `charges` (`check_at`) WHERE "charges"."status" = 'pending' or "charges"."check_at" is not null;--> statement-breakpoint
CREATE INDEX `charges_by_payment` ON `charges` (`payment_id`) WHERE "charges"."payment_id" is not null;