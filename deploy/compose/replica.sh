#!/bin/sh
# If there is no database yet, copies that of the primary. Then follows the primary.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  PGPASSWORD="$POSTGRES_PASSWORD" pg_basebackup --host "$PRIMARY" --username "$POSTGRES_USER" --pgdata "$PGDATA" \
    --write-recovery-conf --checkpoint fast
fi
exec docker-entrypoint.sh postgres -c cluster_name="$(hostname)"
