/** Clients of the REST routes for these tests. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestDatabase } from '../support/databases.ts';

/** The number of orders in the demo data; new orders have greater ids. */
export const DEMO_ORDERS = 65;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** A database, accessed without the server's code. */
export type Queried = Pick<TestDatabase, 'query'>;

/** Sends one request at a time over one connection, which stays open as long as the server keeps it. */
export class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Resolves when the whole response has arrived, and rejects if it is incomplete. */
  send(
    method: string,
    path: string,
    body?: unknown,
    { headers = {}, signal }: SendOptions = {},
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const outgoing = request(`${this.#url}${path}`, {
      method,
      agent: this.#agent,
      ...(signal && { signal }),
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...headers,
        ...(sent !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(sent),
        }),
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      text(response).then(
        (received) =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
        reject,
      );
    });
    outgoing.end(sent);
    return promise;
  }

  placeOrder(): Promise<Answer> {
    return this.send('POST', '/v1/users/1/orders', ORDER);
  }

  /** Opens another connection of the same caller. */
  beside(): Connection {
    return new Connection(this.#url, this.#token);
  }

  close(): void {
    this.#agent.destroy();
  }
}

export const ORDER = {
  items: [
    { product_id: 1, qty: 2 },
    { product_id: 2, qty: 3 },
  ],
};

/** The access token of the demo administrator, or of another user with the demo password. */
export async function signIn(url: string, email = 'ada@acme.test'): Promise<string> {
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'portico-demo' }),
  });
  if (response.status !== 200)
    throw new Error(`Signing in returned ${response.status}: ${await response.text()}`);
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

export const idOf = ({ body }: Answer): number => (JSON.parse(body) as { id: number }).id;

/** An order as stored, read without the server's code. */
export interface StoredOrder {
  readonly id: number;
  readonly total: number;
  readonly items: number;
  /** The sum of its items. */
  readonly worth: number;
  /** The number of its `order.created` events. */
  readonly announced: number;
}

/** The orders that the tests have placed, by id. */
export async function storedOrders({ query }: Queried): Promise<StoredOrder[]> {
  const rows = await query(`
    select cast(o.id as integer) as id, cast(o.total as integer) as total,
      (select cast(count(*) as integer) from order_items i where i.order_id = o.id) as items,
      (select cast(coalesce(sum(i.qty * i.unit_price), 0) as integer) from order_items i where i.order_id = o.id) as worth,
      (select cast(count(*) as integer) from events e
        where e.subject_type = 'order' and e.subject_id = o.id and e.type = 'order.created') as announced
    from orders o where o.id > ${DEMO_ORDERS} order by o.id`);
  // The columns above, all integers on both engines.
  return rows as unknown as StoredOrder[];
}

/** Ids in order events whose order does not exist. */
export async function strayEvents({ query }: Queried): Promise<unknown[]> {
  return query(`
    select e.id from events e where e.subject_type = 'order'
      and not exists (select 1 from orders o where o.id = e.subject_id)`);
}

/** Reads and writes continuously until the server closes its connection with a response. */
export class BusyClient {
  readonly failures: unknown[] = [];
  readonly placed: number[] = [];
  served = 0;
  readonly #connection: Connection;

  constructor(url: string, token: string) {
    this.#connection = new Connection(url, token);
  }

  async run(): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      try {
        const response = await this.#turn(turn);
        this.served += 1;
        if (response.headers.connection === 'close') return;
      } catch (error) {
        this.failures.push(error);
        return;
      }
    }
  }

  async #turn(turn: number) {
    const writes = turn % 3 === 0;
    const response = await (writes
      ? this.#connection.placeOrder()
      : turn % 3 === 1
        ? this.#connection.send('GET', '/v1/orders/1')
        : this.#connection.send('POST', '/graphql', { query: '{ me { id orders(last: 2) { id total } } }' }));
    if (response.status !== (writes ? 201 : 200)) this.failures.push(response);
    else if (writes) this.placed.push(idOf(response));
    return response;
  }
}
