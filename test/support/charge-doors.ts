/** The ways in which a client charges and gives back, and what the tables have of a charge. */
import type { TestApp } from './app.ts';
import { CHARGE, postCharge } from './charges.ts';
import type { ErrorBody } from './client.ts';
import type { TestEngine } from './engines.ts';
import type { Charge } from './shapes.ts';

/** An answer, whichever way it came. */
export interface Told {
  readonly status: number;
  /** Of an error. */
  readonly code: string | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  readonly replayed: boolean;
  /** What was answered, without what stands beside it. */
  readonly charge: Pick<Charge, 'status'> & { readonly id: string | number };
}

interface Door {
  /** The status that an error comes with, if it is not the error's own. */
  readonly errorStatus?: number;
  charge(app: TestApp, key: string): Promise<Told>;
  refund(app: TestApp, id: number, key: string): Promise<Told>;
}

const CREATE = `mutation ($input: CreateChargeInput!, $key: String) {
  charge: createCharge(input: $input, idempotencyKey: $key) { id amount { value currency } status version }
}`;
const REFUND = `mutation ($id: ID!, $key: String) {
  charge: refundCharge(id: $id, idempotencyKey: $key) { id amount { value currency } status version }
}`;

export const DOORS: Readonly<Record<string, Door>> = {
  REST: {
    charge: async (app, key) => toldByRest(await postCharge<Charge & ErrorBody>(app, { key })),
    refund: async (app, id, key) => {
      const headers = { 'idempotency-key': key };
      return toldByRest(await app.post(`/v2/charges/${id}/refunds`, { as: 'ada', headers }));
    },
  },
  GraphQL: {
    errorStatus: 200,
    charge: (app, key) => toldByGraphQL(app, CREATE, { input: CHARGE, key }),
    refund: (app, id, key) => toldByGraphQL(app, REFUND, { id, key }),
  },
};

function toldByRest({
  status,
  headers,
  body,
}: Awaited<ReturnType<typeof postCharge<Charge & ErrorBody>>>): Told {
  return {
    status,
    code: body.error?.code,
    retryAfter: numberOf(headers.get('retry-after')),
    replayed: headers.get('idempotent-replayed') === 'true',
    charge: body,
  };
}

async function toldByGraphQL(app: TestApp, document: string, variables: object): Promise<Told> {
  const { status, headers, body } = await app.graphql<{ charge: Told['charge'] }>(
    document,
    { ...variables },
    { as: 'ada' },
  );
  const extensions = body.errors?.[0]?.extensions;
  return {
    status,
    code: extensions?.code,
    retryAfter: extensions?.retryAfter,
    replayed: headers.get('idempotent-replayed') === 'true',
    // Without one the test sees an error first.
    charge: body.data?.charge as Told['charge'],
  };
}

const numberOf = (text: string | null): number | undefined => (text === null ? undefined : Number(text));

/** What one charge has left in the tables. */
export interface Trace {
  readonly status: string;
  readonly version: number;
  /** How often the gateway took the money, and how often it gave it back. */
  readonly taken: number;
  readonly returned: number;
  /** Types of its events, in their order. */
  readonly events: readonly string[];
}

/** Charges from an id on, each with its trace. The gateway must be the sandbox. */
export async function tracesAfter({ place }: TestEngine, app: TestApp, id: number): Promise<Trace[]> {
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
