#!/bin/sh
# Where there is no database yet, copies the one of the primary, and then follows it.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  PGPASSWORD="$POSTGRES_PASSWORD" pg_basebackup --host "$PRIMARY" --username "$POSTGRES_USER" --pgdata "$PGDATA" \
    --write-recovery-conf --checkpoint fast
fi
exec docker-entrypoint.sh postgres -c cluster_name="$(hostname)"
