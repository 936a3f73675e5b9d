/** Records which batches of counts were written, so that no batch counts twice. */
import { sql } from '../drizzle/index.ts';
import { write } from '../query.ts';
import { purgeByTime } from './shared/purging.ts';

export interface CountBatch {
  /** A random id, unique per process and kind of counts. */
  readonly writer: string;
  /** The number of the batch, greater than those of earlier batches of the writer. */
  readonly batch: number;
  readonly now: Date;
}

/**
 * Records a batch, in the transaction that writes it.
 *
 * @returns false if an earlier attempt was committed, so that the batch must not be written again.
 */
export const recordCountBatch = write.any<CountBatch>(
  'countWriters.record',
  ({ orm, tables: { countWriters } }, p) =>
    orm
      .insert(countWriters)
      .values({ id: p.writer, batch: p.batch, writtenAt: p.now })
      .onConflictDoUpdate({
        target: countWriters.id,
        set: { batch: sql`excluded.batch`, writtenAt: sql`excluded.written_at` },
        setWhere: sql`${countWriters.batch} < excluded.batch`,
      })
      .returning({ id: countWriters.id }),
);

/** Deletes up to `limit` writers that have written nothing since a time. Returns their number. */
export const purgeCountWriters = purgeByTime('countWriters.purge', ({ countWriters }) => ({
  table: countWriters,
  at: countWriters.writtenAt,
}));
