CREATE TABLE `oauth_records` (
	`model` text NOT NULL,
	`key` text NOT NULL,
	`payload` text NOT NULL,
	`grant_id` integer,
	`uid` text,
	`user_code` text,
	`consumed_at` integer,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`model`, `key`)
);
--> statement-breakpoint
CREATE INDEX `oauth_records_by_grant` ON `oauth_records` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oauth_records_by_uid` ON `oauth_records` (`uid`);--> statement-breakpoint
CREATE INDEX `oauth_records_by_user_code` ON `oauth_records` (`user_code`);--> statement-breakpoint
CREATE INDEX `oauth_records_by_expiry` ON `oauth_records` (`expires_at`);