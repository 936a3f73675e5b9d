CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`invited_by_id` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_role_check" CHECK("invitations"."role" in ('admin', 'editor', 'viewer'))
);
--> statement-breakpoint
CREATE INDEX `invitations_by_org` ON `invitations` (`org`,`id`);--> statement-breakpoint
CREATE INDEX `invitations_by_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_open_unique` ON `invitations` (`org`,`email`) WHERE "invitations"."accepted_at" is null and "invitations"."revoked_at" is null;--> statement-breakpoint
CREATE TABLE `link_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`org` text NOT NULL,
	`user_id` integer,
	`invitation_id` integer,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`org`) REFERENCES `organisations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invitation_id`) REFERENCES `invitations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "link_tokens_kind_check" CHECK("link_tokens"."kind" in ('password_reset', 'invitation'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_tokens_token_hash_unique` ON `link_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `link_tokens_by_user` ON `link_tokens` (`org`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `link_tokens_by_invitation` ON `link_tokens` (`invitation_id`);--> statement-breakpoint
CREATE INDEX `link_tokens_by_expiry` ON `link_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`invitation_id` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`invitation_id`) REFERENCES `invitations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "outbox_kind_check" CHECK("outbox"."kind" in ('password_reset', 'invitation'))
);
--> statement-breakpoint
CREATE INDEX `outbox_by_invitation` ON `outbox` (`invitation_id`);--> statement-breakpoint
CREATE INDEX `outbox_by_expiry` ON `outbox` (`expires_at`);--> statement-breakpoint
CREATE INDEX `outbox_by_next_attempt` ON `outbox` (`next_attempt_at`,`id`);--> statement-breakpoint
DROP INDEX `sessions_by_user`;--> statement-breakpoint
ALTER TABLE `sessions` ADD `address` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_used_at` integer;--> statement-breakpoint
CREATE INDEX `sessions_active_by_user` ON `sessions` (`org`,`user_id`,`id`) WHERE "sessions"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX `sessions_active_by_org` ON `sessions` (`org`,`id`) WHERE "sessions"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`revoked_at`) WHERE "sessions"."revoked_at" is not null;