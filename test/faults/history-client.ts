/**
 * A client that writes, retries unacknowledged writes, and reads its own writes, through any of several
 * instances.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomIntegers } from '../support/inputs/random-integers.ts';
import { type Answer, Connection, idOf } from './client.ts';
import type { History } from './history.ts';

/** Milliseconds that a client waits for a response: longer than any request may take. */
const PATIENCE = 12_000;

/** Milliseconds before a request is retried, and the maximum between two writes. */
const PAUSE = 100;

/** An instance, and whether it is paused or killed, so that requests to it may get no response. */
export interface Instance {
  readonly url: string;
  isStopped: boolean;
}

interface Resource {
  readonly path: string;
  /** The GraphQL field that reads it. */
  readonly field: string;
}

const ORDER = (id: number): Resource => ({ path: `/v1/orders/${id}`, field: `order(id: ${id}) { id }` });
const CHARGE = (id: number): Resource => ({ path: `/v2/charges/${id}`, field: `charge(id: ${id}) { id }` });
const DOCUMENT = (id: number): Resource => ({
  path: `/v1/orgs/acme/docs/${id}`,
  field: `document(org: "acme", id: ${id}) { id title }`,
});

interface Doc {
  readonly id: number;
  etag: string;
  /** The number in the title of the last acknowledged write. */
  acknowledged: number;
  /** Whether a later attempt without a response may have changed it. */
  isUnsure: boolean;
}

export class HistoryClient {
  readonly orders: number[] = [];
  readonly charges: number[] = [];
  readonly documents: Doc[] = [];
  readonly #user: number;
  readonly #instances: readonly Instance[];
  readonly #connections: readonly Connection[];
  readonly #history: History;
  readonly #random: (least: number, most: number) => number;
  #writes = 0;
  #isOver = false;
  /** The instances of the last requests. */
  #last: readonly string[] = [];
  /** No attempt starts after this time. */
  #end = Number.POSITIVE_INFINITY;

  constructor(
    instances: readonly Instance[],
    user: { readonly id: number; readonly token: string },
    history: History,
    seed: number,
  ) {
    this.#user = user.id;
    this.#instances = instances;
    this.#connections = instances.map(({ url }) => new Connection(url, user.token));
    this.#history = history;
    this.#random = randomIntegers(seed);
  }

  async run(): Promise<void> {
    const ways = [this.#order, this.#charge, this.#document, this.#change, this.#change];
    while (!this.#isOver) {
      await ways[this.#random(0, ways.length - 1)]?.call(this);
      await sleep(this.#random(0, PAUSE));
    }
    for (const connection of this.#connections) connection.close();
  }

  /** Starts no more requests. @param patience milliseconds for the pending ones. */
  stop(patience: number): void {
    this.#isOver = true;
    this.#end = performance.now() + patience;
  }

  async #order(): Promise<void> {
    const body = { items: [{ product_id: 1, qty: 1 }] };
    const response = await this.#create(`/v1/users/${this.#user}/orders`, body);
    if (!response) return;
    this.orders.push(idOf(response));
    await this.#readOwn(ORDER(idOf(response)), response);
  }

  async #charge(): Promise<void> {
    const body = { amount: { value: 19.99, currency: 'USD' }, source: 'tok_visa' };
    const response = await this.#create('/v2/charges', body);
    if (!response) return;
    this.charges.push(idOf(response));
    await this.#readOwn(CHARGE(idOf(response)), response);
  }

  async #document(): Promise<void> {
    const number = this.#writes;
    const body = { title: `title ${number}`, body: 'text', classification: 'public' };
    const response = await this.#create('/v1/orgs/acme/docs', body);
    if (!response) return;
    this.documents.push({
      id: idOf(response),
      etag: String(response.headers.etag),
      acknowledged: number,
      isUnsure: false,
    });
    await this.#readOwn(DOCUMENT(idOf(response)), response, number);
  }

  /** Changes a document only at the version that the client has read. */
  async #change(): Promise<void> {
    const doc = this.documents[this.#random(0, this.documents.length - 1)];
    if (!doc) return;
    const number = ++this.#writes;
    const { path } = DOCUMENT(doc.id);
    const response = await this.#send('PATCH', path, { title: `title ${number}` }, { 'if-match': doc.etag });
    if (response?.status === 200) {
      this.#history.acknowledged.push(performance.now());
      doc.acknowledged = number;
      doc.etag = String(response.headers.etag);
      doc.isUnsure = false;
      return this.#readOwn(DOCUMENT(doc.id), response, number);
    }
    if (!response) doc.isUnsure = true;
    else if (response.status !== 412 || !doc.isUnsure) this.#contradict('PATCH', path, response);
    const now = await this.#untilAnswered(() => this.#send('GET', path, undefined, {}));
    if (now) {
      doc.etag = String(now.headers.etag);
      this.#expectOwn(DOCUMENT(doc.id), now, doc.acknowledged);
    }
  }

  /** Retries with the same key until the request is acknowledged. */
  async #create(path: string, body: unknown): Promise<Answer | undefined> {
    const key = `${this.#user}-${++this.#writes}-${this.#random(0, 2 ** 31)}`;
    let attempts = 0;
    const response = await this.#untilAnswered(async () => {
      attempts += 1;
      const given = await this.#send('POST', path, body, { 'idempotency-key': key });
      // An earlier attempt may still run, or may have been interrupted with its instance.
      return given?.status === 409 && attempts > 1 ? undefined : given;
    });
    if (response?.status === 201) this.#history.acknowledged.push(performance.now());
    else if (response) this.#contradict('POST', path, response);
    else this.#history.unresolved += 1;
    return response?.status === 201 ? response : undefined;
  }

  /**
   * Reads at the position that the write returned or at that of the caller, through REST or GraphQL, on any
   * instance.
   */
  async #readOwn(resource: Resource, written: Answer, title?: number): Promise<void> {
    const position = written.headers['portico-position'];
    const byPosition = this.#random(0, 1) === 0 && typeof position === 'string';
    const headers: Record<string, string> = byPosition ? { 'portico-position': position } : {};
    const query = { query: `{ ${resource.field} }` };
    const response = await this.#untilAnswered(() =>
      this.#random(0, 1) === 0
        ? this.#send('GET', resource.path, undefined, headers)
        : this.#send('POST', '/graphql', query, headers),
    );
    if (response) this.#expectOwn(resource, response, title);
  }

  #expectOwn({ path, field }: Resource, response: Answer, title?: number): void {
    this.#history.ownReads += 1;
    const number = Number(/"title":"title (\d+)"/.exec(response.body)?.[1]);
    const isThere = response.status === 200 && /"id":/.test(response.body);
    if (isThere && (title === undefined || number >= title)) return;
    this.#history.stale += 1;
    this.#contradict('read', `${path} ${field} for title ${title}`, response);
  }

  async #untilAnswered(attempt: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
    while (performance.now() < this.#end) {
      const response = await attempt();
      if (response) return response;
      await sleep(PAUSE);
    }
    return undefined;
  }

  /** @returns undefined if the request was refused temporarily, or had no response. */
  async #send(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer | undefined> {
    const chosen = this.#random(0, this.#instances.length - 1);
    this.#last = [...this.#last.slice(-2), `${chosen}${headers['portico-position'] ?? ''} ${method}`];
    const signal = AbortSignal.timeout(PATIENCE);
    try {
      const response = await this.#connections[chosen]?.send(method, path, body, { headers, signal });
      const isRefused =
        response?.status === 503 || /"code":"(unavailable|timeout)"/.test(response?.body ?? '');
      if (!response || !isRefused) return response;
      this.#history.refused += 1;
      // A GraphQL response with data has status 200, with the error in `errors`.
      const saysWhen =
        /^\d+$/.test(String(response.headers['retry-after'])) || /"retryAfter":\d/.test(response.body);
      if (!saysWhen) this.#contradict(method, path, response);
    } catch (error) {
      this.#notice(error, signal, this.#instances[chosen]);
    }
    return undefined;
  }

  #notice(error: unknown, signal: AbortSignal, instance: Instance | undefined): void {
    this.#history.silences[signal.aborted ? 'abandoned' : 'closed'] += 1;
    if (signal.aborted && !instance?.isStopped)
      this.#history.violations.push(`No response from ${instance?.url}: ${error}`);
  }

  #contradict(method: string, path: string, { status, headers, body }: Answer): void {
    const shown = JSON.stringify({ status, retryAfter: headers['retry-after'], body: body.slice(0, 300) });
    const when = `${this.#history.fault}, ${Math.round(performance.now() - this.#history.faultAt)} ms`;
    this.#history.violations.push(`${when}: ${method} ${path} through ${this.#last}: ${shown}`);
  }
}
