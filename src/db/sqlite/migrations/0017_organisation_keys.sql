CREATE TABLE `__new_order_items` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`org` text NOT NULL,
	`order_id` integer NOT NULL,
	`position` integer NOT NULL,
	`product_id` integer NOT NULL,
	`name` text NOT NULL,
	`unit_price` integer NOT NULL,
	`qty` integer NOT NULL,
	FOREIGN KEY (`order_id`) REFERENCES `orders`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_items_qty_check" CHECK("__new_order_items"."qty" between 1 and 10000),
	CONSTRAINT "order_items_unit_price_check" CHECK("__new_order_items"."unit_price" between 0 and 999999999)
);--> statement-breakpoint
INSERT INTO `__new_order_items` (`id`, `org`, `order_id`, `position`, `product_id`, `name`, `unit_price`, `qty`) SELECT i.`id`, o.`org`, i.`order_id`, i.`position`, i.`product_id`, i.`name`, i.`unit_price`, i.`qty` FROM `order_items` i JOIN `orders` o ON o.`id` = i.`order_id` ORDER BY i.`id`;--> statement-breakpoint
UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'order_items') WHERE name = '__new_order_items';--> statement-breakpoint
DROP TABLE `order_items`;--> statement-breakpoint
ALTER TABLE `__new_order_items` RENAME TO `order_items`;--> statement-breakpoint
CREATE INDEX `order_items_by_order` ON `order_items` (`order_id`,`position`);--> statement-breakpoint
CREATE INDEX `order_items_by_product` ON `order_items` (`product_id`,`order_id`,`org`);
