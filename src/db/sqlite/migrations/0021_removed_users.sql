CREATE INDEX `shares_by_user` ON `shares` (`org`,`user_id`);--> statement-breakpoint
-- What users had who were removed by earlier versions.
DELETE FROM `shares` WHERE EXISTS (SELECT 1 FROM `users` WHERE `users`.`id` = `shares`.`user_id` AND `users`.`org` = `shares`.`org` AND `users`.`removed_at` IS NOT NULL);--> statement-breakpoint
UPDATE `invitations` SET `revoked_at` = unixepoch('subsec') * 1000 WHERE `accepted_at` IS NULL AND `revoked_at` IS NULL AND `expires_at` > unixepoch('subsec') * 1000 AND EXISTS (SELECT 1 FROM `users` WHERE `users`.`id` = `invitations`.`invited_by_id` AND (`users`.`role` <> 'admin' OR `users`.`removed_at` IS NOT NULL));
