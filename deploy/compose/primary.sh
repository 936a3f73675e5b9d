#!/bin/sh
# The PostgreSQL image runs this script once, when it creates the database. It allows replication and makes commits wait for one replica.
set -e
echo 'host replication all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
# These settings take effect at the next start, when there can be replicas. The second one is for a replica that was disconnected.
psql --username "$POSTGRES_USER" --dbname postgres \
  --command "alter system set synchronous_standby_names = 'ANY 1 (*)'" \
  --command "alter system set wal_keep_size = '1GB'"
