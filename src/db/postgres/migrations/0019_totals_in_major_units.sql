-- step by step: apply-migrations.ts says what that means
-- The indexes in order of the numbers that clients see are built beside those in order of minor units.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_by_total_in_major_units" ON "orders" USING btree ("org","user_id",(cast("total" as double precision) / case "currency" when 'BHD' then 1000 when 'BIF' then 1 when 'CLF' then 10000 when 'CLP' then 1 when 'DJF' then 1 when 'GNF' then 1 when 'IQD' then 1000 when 'ISK' then 1 when 'JOD' then 1000 when 'JPY' then 1 when 'KMF' then 1 when 'KRW' then 1 when 'KWD' then 1000 when 'LYD' then 1000 when 'OMR' then 1000 when 'PYG' then 1 when 'RWF' then 1 when 'TND' then 1000 when 'UGX' then 1 when 'UYI' then 1 when 'UYW' then 10000 when 'VND' then 1 when 'VUV' then 1 when 'XAF' then 1 when 'XOF' then 1 when 'XPF' then 1 else 100 end),"id","deleted_at","total","currency") WHERE "orders"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_by_status_and_total_in_major_units" ON "orders" USING btree ("org","user_id","status",(cast("total" as double precision) / case "currency" when 'BHD' then 1000 when 'BIF' then 1 when 'CLF' then 10000 when 'CLP' then 1 when 'DJF' then 1 when 'GNF' then 1 when 'IQD' then 1000 when 'ISK' then 1 when 'JOD' then 1000 when 'JPY' then 1 when 'KMF' then 1 when 'KRW' then 1 when 'KWD' then 1000 when 'LYD' then 1000 when 'OMR' then 1000 when 'PYG' then 1 when 'RWF' then 1 when 'TND' then 1000 when 'UGX' then 1 when 'UYI' then 1 when 'UYW' then 10000 when 'VND' then 1 when 'VUV' then 1 when 'XAF' then 1 when 'XOF' then 1 when 'XPF' then 1 else 100 end),"id","deleted_at","total","currency") WHERE "orders"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_of_org_by_total_in_major_units" ON "orders" USING btree ("org",(cast("total" as double precision) / case "currency" when 'BHD' then 1000 when 'BIF' then 1 when 'CLF' then 10000 when 'CLP' then 1 when 'DJF' then 1 when 'GNF' then 1 when 'IQD' then 1000 when 'ISK' then 1 when 'JOD' then 1000 when 'JPY' then 1 when 'KMF' then 1 when 'KRW' then 1 when 'KWD' then 1000 when 'LYD' then 1000 when 'OMR' then 1000 when 'PYG' then 1 when 'RWF' then 1 when 'TND' then 1000 when 'UGX' then 1 when 'UYI' then 1 when 'UYW' then 10000 when 'VND' then 1 when 'VUV' then 1 when 'XAF' then 1 when 'XOF' then 1 when 'XPF' then 1 else 100 end),"id","status","currency","total","created_at","deleted_at") WHERE "orders"."deleted_at" is null;
--> statement-breakpoint
DROP INDEX "orders_by_total";
ALTER INDEX "orders_by_total_in_major_units" RENAME TO "orders_by_total";
--> statement-breakpoint
DROP INDEX "orders_by_status_and_total";
ALTER INDEX "orders_by_status_and_total_in_major_units" RENAME TO "orders_by_status_and_total";
--> statement-breakpoint
DROP INDEX "orders_of_org_by_total";
ALTER INDEX "orders_of_org_by_total_in_major_units" RENAME TO "orders_of_org_by_total";
