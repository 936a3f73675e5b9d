-- step by step: apply-migrations.ts says what that means

-- Items name the organisation of their order. Servers of the former version do not, so a trigger does for them.
ALTER TABLE "order_items" ADD COLUMN "org" text;
CREATE FUNCTION "order_items_org"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.org := (SELECT orders.org FROM orders WHERE orders.id = NEW.order_id);
  RETURN NEW;
END $$;
CREATE TRIGGER "order_items_org" BEFORE INSERT ON "order_items" FOR EACH ROW WHEN (NEW.org IS NULL) EXECUTE FUNCTION "order_items_org"();
--> statement-breakpoint
DO $$
DECLARE
  last bigint := 0;
  largest bigint := (SELECT coalesce(max(id), 0) FROM order_items);
BEGIN
  WHILE last < largest LOOP
    UPDATE order_items SET org = orders.org FROM orders
      WHERE orders.id = order_items.order_id AND order_items.org IS NULL
        AND order_items.id > last AND order_items.id <= last + 5000;
    COMMIT;
    last := last + 5000;
  END LOOP;
END $$;
--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_org_check" CHECK ("org" IS NOT NULL) NOT VALID;
--> statement-breakpoint
ALTER TABLE "order_items" VALIDATE CONSTRAINT "order_items_org_check";
--> statement-breakpoint
-- What was validated is not looked through again.
ALTER TABLE "order_items" ALTER COLUMN "org" SET NOT NULL;
ALTER TABLE "order_items" DROP CONSTRAINT "order_items_org_check";
--> statement-breakpoint
-- The keys with the organisation are built beside those without it.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "products_id_org" ON "products" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "orders_id_org" ON "orders" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "order_items_id_org" ON "order_items" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "charges_id_org" ON "charges" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "refunds_id_org" ON "refunds" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "idempotency_records_id_org" ON "idempotency_records" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "documents_id_org" ON "documents" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "shares_id_org" ON "shares" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "events_id_org" ON "events" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "audit_entries_id_org" ON "audit_entries" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "operation_uses_id_org" ON "operation_uses" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "deprecated_uses_id_org" ON "deprecated_uses" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "webhooks_id_org" ON "webhooks" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_id_org" ON "webhook_deliveries" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "webhook_attempts_id_org" ON "webhook_attempts" USING btree ("id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "charges_reference_unique_org" ON "charges" USING btree ("reference","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "refunds_reference_unique_org" ON "refunds" USING btree ("reference","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "shares_document_user_org" ON "shares" USING btree ("document_id","user_id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "webhook_deliveries_webhook_event_org" ON "webhook_deliveries" USING btree ("webhook_id","event_id","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "webhook_attempts_number_org" ON "webhook_attempts" USING btree ("delivery_id","number","org");
--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "webhook_attempts_open_org" ON "webhook_attempts" USING btree ("delivery_id","org") WHERE "webhook_attempts"."finished_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "order_items_by_product_org" ON "order_items" USING btree ("product_id","order_id","org");
--> statement-breakpoint
-- References are checked for new rows first, then for those that are there; the former ones go.
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_order_id_org_orders_id_org_fk" FOREIGN KEY ("order_id","org") REFERENCES "public"."orders"("id","org") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "order_items" VALIDATE CONSTRAINT "order_items_order_id_org_orders_id_org_fk";
--> statement-breakpoint
ALTER TABLE "order_items" DROP CONSTRAINT "order_items_order_id_orders_id_fk";
--> statement-breakpoint
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_product_id_org_products_id_org_fk" FOREIGN KEY ("product_id","org") REFERENCES "public"."products"("id","org") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "order_items" VALIDATE CONSTRAINT "order_items_product_id_org_products_id_org_fk";
--> statement-breakpoint
ALTER TABLE "order_items" DROP CONSTRAINT "order_items_product_id_products_id_fk";
--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_order_id_org_orders_id_org_fk" FOREIGN KEY ("order_id","org") REFERENCES "public"."orders"("id","org") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "charges" VALIDATE CONSTRAINT "charges_order_id_org_orders_id_org_fk";
--> statement-breakpoint
ALTER TABLE "charges" DROP CONSTRAINT "charges_order_id_orders_id_fk";
--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_charge_id_org_charges_id_org_fk" FOREIGN KEY ("charge_id","org") REFERENCES "public"."charges"("id","org") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "refunds" VALIDATE CONSTRAINT "refunds_charge_id_org_charges_id_org_fk";
--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_charge_id_charges_id_fk";
--> statement-breakpoint
ALTER TABLE "shares" ADD CONSTRAINT "shares_document_id_org_documents_id_org_fk" FOREIGN KEY ("document_id","org") REFERENCES "public"."documents"("id","org") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "shares" VALIDATE CONSTRAINT "shares_document_id_org_documents_id_org_fk";
--> statement-breakpoint
ALTER TABLE "shares" DROP CONSTRAINT "shares_document_id_documents_id_fk";
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_org_webhooks_id_org_fk" FOREIGN KEY ("webhook_id","org") REFERENCES "public"."webhooks"("id","org") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" VALIDATE CONSTRAINT "webhook_deliveries_webhook_id_org_webhooks_id_org_fk";
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk";
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_org_webhook_deliveries_id_org_fk" FOREIGN KEY ("delivery_id","org") REFERENCES "public"."webhook_deliveries"("id","org") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "webhook_attempts" VALIDATE CONSTRAINT "webhook_attempts_delivery_id_org_webhook_deliveries_id_org_fk";
--> statement-breakpoint
ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk";
--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_webhook_id_org_webhooks_id_org_fk" FOREIGN KEY ("webhook_id","org") REFERENCES "public"."webhooks"("id","org") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "webhook_attempts" VALIDATE CONSTRAINT "webhook_attempts_webhook_id_org_webhooks_id_org_fk";
--> statement-breakpoint
ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_webhook_id_webhooks_id_fk";
--> statement-breakpoint
-- One key takes the place of the other. Nothing is built, so the lock is held for a moment.
ALTER TABLE "products" DROP CONSTRAINT "products_pkey", ADD CONSTRAINT "products_pkey" PRIMARY KEY USING INDEX "products_id_org";
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_pkey", ADD CONSTRAINT "orders_pkey" PRIMARY KEY USING INDEX "orders_id_org";
--> statement-breakpoint
ALTER TABLE "order_items" DROP CONSTRAINT "order_items_pkey", ADD CONSTRAINT "order_items_pkey" PRIMARY KEY USING INDEX "order_items_id_org";
--> statement-breakpoint
ALTER TABLE "charges" DROP CONSTRAINT "charges_pkey", ADD CONSTRAINT "charges_pkey" PRIMARY KEY USING INDEX "charges_id_org";
--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_pkey", ADD CONSTRAINT "refunds_pkey" PRIMARY KEY USING INDEX "refunds_id_org";
--> statement-breakpoint
ALTER TABLE "idempotency_records" DROP CONSTRAINT "idempotency_records_pkey", ADD CONSTRAINT "idempotency_records_pkey" PRIMARY KEY USING INDEX "idempotency_records_id_org";
--> statement-breakpoint
ALTER TABLE "documents" DROP CONSTRAINT "documents_pkey", ADD CONSTRAINT "documents_pkey" PRIMARY KEY USING INDEX "documents_id_org";
--> statement-breakpoint
ALTER TABLE "shares" DROP CONSTRAINT "shares_pkey", ADD CONSTRAINT "shares_pkey" PRIMARY KEY USING INDEX "shares_id_org";
--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_pkey", ADD CONSTRAINT "events_pkey" PRIMARY KEY USING INDEX "events_id_org";
--> statement-breakpoint
ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_pkey", ADD CONSTRAINT "audit_entries_pkey" PRIMARY KEY USING INDEX "audit_entries_id_org";
--> statement-breakpoint
ALTER TABLE "operation_uses" DROP CONSTRAINT "operation_uses_pkey", ADD CONSTRAINT "operation_uses_pkey" PRIMARY KEY USING INDEX "operation_uses_id_org";
--> statement-breakpoint
ALTER TABLE "deprecated_uses" DROP CONSTRAINT "deprecated_uses_pkey", ADD CONSTRAINT "deprecated_uses_pkey" PRIMARY KEY USING INDEX "deprecated_uses_id_org";
--> statement-breakpoint
ALTER TABLE "webhooks" DROP CONSTRAINT "webhooks_pkey", ADD CONSTRAINT "webhooks_pkey" PRIMARY KEY USING INDEX "webhooks_id_org";
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_pkey", ADD CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY USING INDEX "webhook_deliveries_id_org";
--> statement-breakpoint
ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_pkey", ADD CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY USING INDEX "webhook_attempts_id_org";
--> statement-breakpoint
ALTER TABLE "charges" DROP CONSTRAINT "charges_reference_unique";
ALTER INDEX "charges_reference_unique_org" RENAME TO "charges_reference_unique";
--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_reference_unique";
ALTER INDEX "refunds_reference_unique_org" RENAME TO "refunds_reference_unique";
--> statement-breakpoint
DROP INDEX "shares_document_user";
ALTER INDEX "shares_document_user_org" RENAME TO "shares_document_user";
--> statement-breakpoint
DROP INDEX "webhook_deliveries_webhook_event";
ALTER INDEX "webhook_deliveries_webhook_event_org" RENAME TO "webhook_deliveries_webhook_event";
--> statement-breakpoint
DROP INDEX "webhook_attempts_number";
ALTER INDEX "webhook_attempts_number_org" RENAME TO "webhook_attempts_number";
--> statement-breakpoint
DROP INDEX "webhook_attempts_open";
ALTER INDEX "webhook_attempts_open_org" RENAME TO "webhook_attempts_open";
--> statement-breakpoint
DROP INDEX "order_items_by_product";
ALTER INDEX "order_items_by_product_org" RENAME TO "order_items_by_product";
