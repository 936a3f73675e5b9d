CREATE TABLE "oauth_records" (
	"model" text NOT NULL,
	"key" text NOT NULL,
	"payload" text NOT NULL,
	"grant_id" bigint,
	"uid" text,
	"user_code" text,
	"consumed_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "oauth_records_pkey" PRIMARY KEY("model","key")
);
--> statement-breakpoint
CREATE INDEX "oauth_records_by_grant" ON "oauth_records" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oauth_records_by_uid" ON "oauth_records" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "oauth_records_by_user_code" ON "oauth_records" USING btree ("user_code");--> statement-breakpoint
CREATE INDEX "oauth_records_by_expiry" ON "oauth_records" USING btree ("expires_at");