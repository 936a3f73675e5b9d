CREATE TABLE `operation_uses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`day` integer NOT NULL,
	`door` text NOT NULL,
	`operation` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`points` integer NOT NULL,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `operation_uses_by_org` ON `operation_uses` (`org`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `operation_uses_unique` ON `operation_uses` (`org`,`day`,`door`,`operation`);--> statement-breakpoint
CREATE TABLE `deprecated_uses` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`day` integer NOT NULL,
	`name` text NOT NULL,
	`actor_id` integer NOT NULL,
	`credentials` text NOT NULL,
	`credentials_id` integer NOT NULL,
	`uses` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `deprecated_uses_by_org` ON `deprecated_uses` (`org`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `deprecated_uses_unique` ON `deprecated_uses` (`org`,`day`,`name`,`actor_id`,`credentials`,`credentials_id`);