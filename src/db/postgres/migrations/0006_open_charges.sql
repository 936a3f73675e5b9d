ALTER TABLE "charges" ADD COLUMN "refund_begun_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "check_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "charges_open" ON "charges" USING btree ("check_at") WHERE "charges"."status" = 'pending' or "charges"."check_at" is not null;--> statement-breakpoint
CREATE INDEX "charges_by_payment" ON "charges" USING btree ("payment_id") WHERE "charges"."payment_id" is not null;