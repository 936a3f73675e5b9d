/** Compares the charges with the money that the gateway has moved. */
import type { Queried } from './client.ts';

/** The charges and the gateway's books. */
export async function booksOf({ query }: Queried) {
  const [row] = await query(`
    with compared as (
      select c.id, c.status, c.amount,
        (select count(*) from sandbox_payments p where p.key = c.reference and p.moved = c.amount) as taken,
        (select count(*) from sandbox_payments p join refunds r on p.key = r.reference where r.charge_id = c.id and p.moved = -r.amount) as returned
      from charges c)
    select
      (select count(*) from charges) as charges,
      (select count(*) from charges where status = 'pending' or check_at is not null)
        + (select count(*) from refunds where status = 'pending') as open,
      (select count(*) from charges where failure_code = 'not_made') as not_made,
      (select count(*) from charges where status = 'refunded') as refunded,
      (select count(*) from compared where taken > 1 or returned > 1) as moved_twice,
      (select count(*) from compared where taken <> (case when status in ('succeeded', 'refunded') then 1 else 0 end)
        or returned <> (case when status = 'refunded' then 1 else 0 end)) as wrong,
      (select count(*) from sandbox_payments p where p.moved <> 0 and not exists
        (select 1 from charges c where p.key = c.reference)
        and not exists (select 1 from refunds r where p.key = r.reference)) as unknown,
      (select count(*) from charges c where
        (select count(*) from events e where e.type = 'charge.' || c.status and e.subject_type = 'charge' and e.subject_id = c.id)
          <> 1) as wrong_events,
      (select coalesce(sum(amount), 0) from charges where status = 'succeeded') as held,
      (select coalesce(sum(moved), 0) from sandbox_payments) as in_books`);
  const count = (name: string) => Number(row?.[name]);
  return {
    charges: count('charges'),
    open: count('open'),
    notMade: count('not_made'),
    refunded: count('refunded'),
    movedTwice: count('moved_twice'),
    wrong: count('wrong'),
    unknown: count('unknown'),
    wrongEvents: count('wrong_events'),
    held: count('held'),
    inBooks: count('in_books'),
  };
}
