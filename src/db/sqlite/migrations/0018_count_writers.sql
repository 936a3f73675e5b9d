CREATE TABLE `count_writers` (
	`id` text PRIMARY KEY NOT NULL,
	`batch` integer NOT NULL,
	`written_at` integer NOT NULL
);
