CREATE TABLE "order_counts" (
	"org" text NOT NULL,
	"user_id" bigint NOT NULL,
	"status" text NOT NULL,
	"orders" bigint NOT NULL,
	CONSTRAINT "order_counts_pkey" PRIMARY KEY("org","user_id","status"),
	CONSTRAINT "order_counts_status_check" CHECK ("order_counts"."status" in ('pending', 'cancelled', 'shipped'))
);
--> statement-breakpoint
DROP INDEX "documents_by_org";--> statement-breakpoint
DROP INDEX "documents_by_author";--> statement-breakpoint
DROP INDEX "orders_by_created_at";--> statement-breakpoint
DROP INDEX "orders_by_total";--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "refund_begun_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "check_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "order_counts" ADD CONSTRAINT "order_counts_org_organisations_id_fk" FOREIGN KEY ("org") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_counts" ADD CONSTRAINT "order_counts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "charges_open" ON "charges" USING btree ("check_at") WHERE "charges"."status" = 'pending' or "charges"."check_at" is not null;--> statement-breakpoint
CREATE INDEX "charges_by_payment" ON "charges" USING btree ("payment_id") WHERE "charges"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX "charges_by_order_and_amount" ON "charges" USING btree ("order_id","status","amount","org") WHERE "charges"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "documents_by_classification" ON "documents" USING btree ("org","classification","id","author_id","deleted_at") WHERE "documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "orders_by_status_and_total" ON "orders" USING btree ("org","user_id","status","total","id","deleted_at") WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "orders_by_status_and_id" ON "orders" USING btree ("org","user_id","status","id","deleted_at") WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_by_role" ON "users" USING btree ("org","role","id") WHERE "users"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "documents_by_org" ON "documents" USING btree ("org","id","classification","author_id","deleted_at") WHERE "documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "documents_by_author" ON "documents" USING btree ("org","author_id","id","classification","deleted_at") WHERE "documents"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "orders_by_created_at" ON "orders" USING btree ("org","user_id","created_at","id","deleted_at") WHERE "orders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "orders_by_total" ON "orders" USING btree ("org","user_id","total","id","deleted_at") WHERE "orders"."deleted_at" is null;--> statement-breakpoint
INSERT INTO "order_counts" ("org", "user_id", "status", "orders") SELECT "org", "user_id", "status", count(*) FROM "orders" WHERE "deleted_at" IS NULL GROUP BY "org", "user_id", "status";