-- step by step: apply-migrations.ts says what that means
ALTER TABLE "apps" ADD COLUMN "post_logout_redirect_uris" jsonb DEFAULT '[]'::jsonb NOT NULL;