CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`type` text NOT NULL,
	`actor_id` integer,
	`subject_type` text NOT NULL,
	`subject_id` integer NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`address` text,
	`credentials` text,
	`credentials_id` integer,
	`occurrences` integer DEFAULT 1 NOT NULL,
	`group_key` text,
	`likeness` text,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `audit_entries_by_time` ON `audit_entries` (`org`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_type` ON `audit_entries` (`org`,`type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_actor` ON `audit_entries` (`org`,`actor_id`,`type`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_likeness_unique` ON `audit_entries` (`org`,`group_key`,`likeness`) WHERE "audit_entries"."group_key" is not null;--> statement-breakpoint
ALTER TABLE `events` ADD `address` text;--> statement-breakpoint
ALTER TABLE `events` ADD `credentials` text;--> statement-breakpoint
ALTER TABLE `events` ADD `credentials_id` integer;--> statement-breakpoint
CREATE INDEX `events_by_time` ON `events` (`org`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `events_by_type_and_time` ON `events` (`org`,`type`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `events_by_actor` ON `events` (`org`,`actor_id`,`type`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `outbox` ADD `address` text;--> statement-breakpoint
UPDATE `sessions` SET `scopes` = json_insert(`scopes`, '$[#]', 'read:audit') WHERE `scopes` LIKE '%"read:users"%' AND `scopes` LIKE '%"read:orders"%' AND `scopes` LIKE '%"read:docs"%' AND `scopes` LIKE '%"read:charges"%' AND `scopes` LIKE '%"read:feed"%' AND `scopes` LIKE '%"write:orders"%' AND `scopes` LIKE '%"write:docs"%' AND `scopes` LIKE '%"write:charges"%' AND `scopes` LIKE '%"write:products"%' AND `scopes` LIKE '%"write:users"%' AND `scopes` LIKE '%"manage:api-keys"%' AND `scopes` LIKE '%"manage:webhooks"%' AND `scopes` LIKE '%"manage:apps"%';
