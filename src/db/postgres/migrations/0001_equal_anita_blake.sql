CREATE TABLE "log_starts" (
	"org" text PRIMARY KEY NOT NULL,
	"purged_to" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "log_starts" ADD CONSTRAINT "log_starts_org_organisations_id_fk" FOREIGN KEY ("org") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "events_by_type" ON "events" USING btree ("org","type","id");