CREATE TABLE `client_certificates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`match` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `client_certificates_by_org` ON `client_certificates` (`org`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `client_certificates_match_unique` ON `client_certificates` (`match`) WHERE "client_certificates"."revoked_at" is null;