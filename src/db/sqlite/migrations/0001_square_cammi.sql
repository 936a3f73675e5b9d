CREATE TABLE `log_starts` (
	`org` text PRIMARY KEY NOT NULL,
	`purged_to` integer NOT NULL,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `events_by_type` ON `events` (`org`,`type`,`id`);