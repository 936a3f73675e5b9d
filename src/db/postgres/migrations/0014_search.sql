CREATE TABLE "search_documents" ("org" text NOT NULL, "rowid" bigint NOT NULL, "tokens" tsvector NOT NULL, PRIMARY KEY ("org", "rowid"));--> statement-breakpoint
CREATE INDEX "search_documents_by_tokens" ON "search_documents" USING gin ("tokens") WITH (gin_pending_list_limit = 256);--> statement-breakpoint
CREATE TABLE "search_products" ("org" text NOT NULL, "rowid" bigint NOT NULL, "tokens" tsvector NOT NULL, PRIMARY KEY ("org", "rowid"));--> statement-breakpoint
CREATE INDEX "search_products_by_tokens" ON "search_products" USING gin ("tokens") WITH (gin_pending_list_limit = 256);
