CREATE TABLE `apps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`scopes` text NOT NULL,
	`token_format` text NOT NULL,
	`homepage_url` text,
	`jwks` text,
	`certificate_san` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`removed_at` integer,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "apps_type_check" CHECK("apps"."type" in ('web', 'native', 'service')),
	CONSTRAINT "apps_token_format_check" CHECK("apps"."token_format" in ('jwt', 'opaque'))
);
--> statement-breakpoint
CREATE INDEX `apps_by_org` ON `apps` (`org`,`id`) WHERE "apps"."removed_at" is null;--> statement-breakpoint
CREATE TABLE `app_secrets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`app_id` integer NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`app_id`) REFERENCES `apps`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `app_secrets_by_app` ON `app_secrets` (`app_id`,`id`) WHERE "app_secrets"."revoked_at" is null;--> statement-breakpoint
CREATE TABLE `installations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`app_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`app_id`) REFERENCES `apps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `installations_unique` ON `installations` (`org`,`app_id`) WHERE "installations"."removed_at" is null;--> statement-breakpoint
CREATE INDEX `installations_by_org` ON `installations` (`org`,`id`) WHERE "installations"."removed_at" is null;--> statement-breakpoint
CREATE INDEX `installations_by_app` ON `installations` (`app_id`,`id`) WHERE "installations"."removed_at" is null;--> statement-breakpoint
CREATE TABLE `grants` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`kind` text NOT NULL,
	`user_id` integer NOT NULL,
	`app_id` integer NOT NULL,
	`installation_id` integer NOT NULL,
	`secret_id` integer DEFAULT 0 NOT NULL,
	`scopes` text NOT NULL,
	`declined` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	`revoked_reason` text,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`app_id`) REFERENCES `apps`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`installation_id`) REFERENCES `installations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "grants_kind_check" CHECK("grants"."kind" in ('consent', 'installation'))
);
--> statement-breakpoint
CREATE INDEX `grants_by_org` ON `grants` (`org`,`kind`,`id`) WHERE "grants"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX `grants_by_user` ON `grants` (`org`,`user_id`,`kind`,`id`) WHERE "grants"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX `grants_by_installation` ON `grants` (`installation_id`,`id`) WHERE "grants"."revoked_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `grants_own_unique` ON `grants` (`org`,`installation_id`,`secret_id`) WHERE "grants"."kind" = 'installation' and "grants"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX `grants_by_revocation` ON `grants` (`revoked_at`) WHERE "grants"."revoked_at" is not null;--> statement-breakpoint
ALTER TABLE `users` ADD `kind` text DEFAULT 'person' NOT NULL;