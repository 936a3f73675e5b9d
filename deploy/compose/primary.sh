#!/bin/sh
# The image of PostgreSQL runs this once, when it makes the database: replicas may follow it, and commits wait for one of them.
set -e
echo 'host replication all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
# They count from the next start, when there can be replicas. The second is for one that was away.
psql --username "$POSTGRES_USER" --dbname postgres \
  --command "alter system set synchronous_standby_names = 'ANY 1 (*)'" \
  --command "alter system set wal_keep_size = '1GB'"
