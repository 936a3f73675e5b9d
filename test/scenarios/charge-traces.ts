/** What has become of charges, in the database and in the records of the sandbox. */
import { beforeEach } from 'vitest';
import type { TestApp } from '../support/app.ts';
import type { TestEngine } from '../support/engines.ts';

/** The trace of a charge in the database. */
export interface Trace {
  readonly status: string;
  readonly version: number;
  /** How many times the gateway captured and refunded the amount. */
  readonly taken: number;
  readonly returned: number;
  /** The types of its events, in order. */
  readonly events: readonly string[];
}

/** A charge without an outcome. */
export const PENDING: Trace = { status: 'pending', version: 1, taken: 0, returned: 0, events: [] };
export const TAKEN: Trace = {
  status: 'succeeded',
  version: 2,
  taken: 1,
  returned: 0,
  events: ['charge.succeeded'],
};
export const RETURNED: Trace = {
  status: 'refunded',
  version: 3,
  taken: 1,
  returned: 1,
  events: ['charge.succeeded', 'charge.refunded'],
};
/** A charge that never reached the gateway. */
export const NOT_MADE: Trace = {
  status: 'failed',
  version: 2,
  taken: 0,
  returned: 0,
  events: ['charge.failed'],
};

/** The charges of the current test. The gateway must be on top of the sandbox. */
export function chargesOfEachTest(engine: TestEngine, app: TestApp) {
  const newest = async () => {
    const [row] = await engine.place.query('select coalesce(max(id), 0) as id from charges');
    return Number(row?.['id']);
  };
  let before = 0;
  beforeEach(async () => {
    before = await newest();
  });
  return { newest, traces: () => tracesAfter(engine, app, before) };
}

async function tracesAfter({ place }: TestEngine, app: TestApp, id: number): Promise<Trace[]> {
  const rows = await place.query(`
    select c.id, c.status, c.version,
      (select count(*) from sandbox_payments p where p.key = c.reference and p.moved = c.amount) as taken,
      (select count(*) from sandbox_payments p
        where p.request like 'refund % of ' || c.payment_id and p.moved = -c.amount) as returned
    from charges c where c.id > ${id} order by c.id`);
  const events = (await app.events()).filter(({ subjectType }) => subjectType === 'charge');
  return rows.map((row) => ({
    status: String(row['status']),
    version: Number(row['version']),
    taken: Number(row['taken']),
    returned: Number(row['returned']),
    events: events.filter(({ subjectId }) => subjectId === Number(row['id'])).map(({ type }) => type),
  }));
}
