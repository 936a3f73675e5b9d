/**
 * A queue in which one party cannot slow the others down. It is start-time fair queueing (Goyal, Vin and Cheng, 1996) on two
 * levels: organisations share equally, and so do the callers of each. Every party has a virtual clock that advances by the cost
 * of each item served, and the party whose clock is furthest behind is next. A party that returns starts at the present, so it is
 * served after the current item, however many items the others have waiting, and does not accumulate a share while it is away.
 */

export interface Flow {
  /** Organisations have equal shares. Callers without an organisation share that of `''`. */
  readonly org: string;
  /** The callers of one organisation have equal shares of it. */
  readonly caller: string;
  /** Whether it is an expensive query, of which few run at once. */
  readonly isExpensive?: boolean;
}

/** Work of the server itself, which no caller waits for. */
export const OWN_WORK: Flow = { org: ':server', caller: '' };

interface Party {
  /** The virtual time: advances by the cost of each item served, and catches up with the present after an idle period. */
  clock: number;
  readonly length: number;
}

/** The parties of one level. Those with waiting items are served in rotation. */
class Rotation<P extends Party> {
  /** Parties with waiting items, in order of arrival, which decides between equal clocks. */
  readonly #waiting = new Set<P>();
  #now = 0;

  join(party: P): void {
    if (this.#waiting.has(party)) return;
    party.clock = Math.max(party.clock, this.#now);
    this.#waiting.add(party);
  }

  leave(party: P): void {
    this.#waiting.delete(party);
  }

  /** Whether a party has used no more than its share, so that it can be forgotten while it has nothing waiting. */
  isCurrent(party: P): boolean {
    return party.clock <= this.#now;
  }

  next(): P | undefined {
    let first: P | undefined;
    for (const party of this.#waiting) if (!first || party.clock < first.clock) first = party;
    return first;
  }

  serve(party: P, cost: number): void {
    this.#now = Math.max(this.#now, party.clock);
    party.clock += cost;
  }

  /** Returns the party with the most waiting items; of several, the last to arrive. */
  longest(): P | undefined {
    let longest: P | undefined;
    for (const party of this.#waiting) if (!longest || party.length >= longest.length) longest = party;
    return longest;
  }
}

class Caller<T> implements Party {
  clock = 0;
  readonly organisation: Organisation<T>;
  readonly items: Queued<T>[] = [];

  constructor(organisation: Organisation<T>) {
    this.organisation = organisation;
  }

  get length(): number {
    return this.items.length;
  }
}

class Organisation<T> implements Party {
  clock = 0;
  length = 0;
  readonly callers = new Map<string, Caller<T>>();
  readonly rotation = new Rotation<Caller<T>>();
}

/** An item that waits in a {@link FairQueue}. */
export interface Queued<T> {
  readonly item: T;
  readonly flow: Flow;
  readonly cost: number;
  /** The waiting items of its caller, used only by the queue. */
  readonly caller: Caller<T>;
}

/** Once this many callers are remembered, those that can be forgotten are removed before another one is added. */
const REMEMBERED = 1000;

export class FairQueue<T> {
  #organisations = new Map<string, Organisation<T>>();
  #rotation = new Rotation<Organisation<T>>();
  #length = 0;
  #parties = 0;

  get length(): number {
    return this.#length;
  }

  /** The number of callers that are remembered, with or without waiting items. */
  get parties(): number {
    return this.#parties;
  }

  /** @param cost the cost of serving the item, above 0, in any unit. */
  push(flow: Flow, cost: number, item: T): Queued<T> {
    const caller = this.#callerOf(flow);
    const { organisation } = caller;
    const queued: Queued<T> = { item, flow, cost, caller };
    caller.items.push(queued);
    organisation.length += 1;
    this.#length += 1;
    this.#rotation.join(organisation);
    organisation.rotation.join(caller);
    return queued;
  }

  /** Removes and returns the item to serve next. */
  shift(): Queued<T> | undefined {
    const organisation = this.#rotation.next();
    const caller = organisation?.rotation.next();
    const queued = caller?.items[0];
    if (!organisation || !caller || !queued) return undefined;
    this.#rotation.serve(organisation, queued.cost);
    organisation.rotation.serve(caller, queued.cost);
    this.remove(queued);
    return queued;
  }

  /** Removes an item that need not be served any more. Returns false if it is not in the queue. */
  remove(queued: Queued<T>): boolean {
    const { caller } = queued;
    const { organisation } = caller;
    const index = caller.items.indexOf(queued);
    if (index === -1) return false;
    // Unlike `splice`, `shift` creates no list.
    if (index === 0) caller.items.shift();
    else caller.items.splice(index, 1);
    organisation.length -= 1;
    this.#length -= 1;
    if (caller.length === 0) organisation.rotation.leave(caller);
    if (organisation.length === 0) this.#rotation.leave(organisation);
    if (this.#length === 0) this.#forgetAll();
    return true;
  }

  /** Removes and returns all items, in the order of service. */
  clear(): Queued<T>[] {
    const all: Queued<T>[] = [];
    for (let next = this.shift(); next; next = this.shift()) all.push(next);
    return all;
  }

  /** Adds a cost that was not known before. It has no effect on an empty queue. */
  charge({ org, caller }: Flow, cost: number): void {
    const organisation = this.#organisations.get(org);
    const known = organisation?.callers.get(caller);
    if (!organisation || !known) return;
    organisation.clock += cost;
    known.clock += cost;
  }

  /** Returns the item to refuse when too many wait: the newest of the caller with the most, in the organisation with the most. */
  excess(): Queued<T> | undefined {
    return this.#rotation.longest()?.rotation.longest()?.items.at(-1);
  }

  #callerOf({ org, caller: name }: Flow): Caller<T> {
    let organisation = this.#organisations.get(org);
    let caller = organisation?.callers.get(name);
    if (caller) return caller;
    if (this.#parties >= REMEMBERED) this.#forgetCurrent();
    organisation = this.#organisations.get(org) ?? new Organisation<T>();
    this.#organisations.set(org, organisation);
    caller = new Caller(organisation);
    organisation.callers.set(name, caller);
    this.#parties += 1;
    return caller;
  }

  /** Resets all clocks when the queue is empty. */
  #forgetAll(): void {
    this.#organisations = new Map();
    this.#rotation = new Rotation();
    this.#parties = 0;
  }

  /** Removes callers that are within their share, which are indistinguishable from new ones. */
  #forgetCurrent(): void {
    for (const [org, organisation] of this.#organisations) {
      for (const [name, caller] of organisation.callers) {
        if (caller.length > 0 || !organisation.rotation.isCurrent(caller)) continue;
        organisation.callers.delete(name);
        this.#parties -= 1;
      }
      if (organisation.length === 0 && this.#rotation.isCurrent(organisation)) {
        this.#parties -= organisation.callers.size;
        this.#organisations.delete(org);
      }
    }
  }
}
