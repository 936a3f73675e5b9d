-- step by step: apply-migrations.ts says what that means
ALTER TABLE "webhooks" ADD COLUMN "app_id" bigint;