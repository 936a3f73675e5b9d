/**
 * Random sequences of what can happen to one payment: requests and retries under one key through a gateway that fails, messages of the
 * provider that arrive late, twice and out of order, refunds, and rounds of the reconciler. Whatever the order, the money moves at most
 * once, the records agree with those of the gateway, and no stored response denies a payment.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { NOT_MADE } from '../../src/payments/gateway.ts';
import { startApp, type TestApp } from '../support/app.ts';
import type { ErrorBody } from '../support/client.ts';
import { describeEachEngine, runsAllCases, type TestEngine } from '../support/engines.ts';
import { createKey } from '../support/fixtures/api-keys.ts';
import { CHARGE, signedEvent } from '../support/fixtures/charges.ts';
import { randomIntegers } from '../support/inputs/random-integers.ts';
import type { Charge } from '../support/response-bodies.ts';
import { FAULTS, FaultyGateway, type Held } from './faulty-gateway.ts';

const HISTORIES = Number(process.env['HISTORIES'] ?? 30);
const SEED = Number(process.env['SEED'] ?? 1);

/** Steps of one history. */
const STEPS = 10;

/** Faults that take no time. */
const QUICK = [FAULTS['is down'], FAULTS['returns nonsense'], FAULTS['moves the money and returns nonsense']];

/** A charge of a history in the database, and what the gateway's records say about it. */
interface ChargeRecord {
  readonly id: number;
  readonly status: string;
  readonly isNamed: boolean;
  readonly isOpen: boolean;
  /** Minor units. */
  readonly refunded: number;
  readonly reserved: number;
  /** Minor units that the gateway has moved, and returned. */
  readonly taken: number;
  readonly returned: number;
}

class History {
  readonly #app: TestApp;
  readonly #engine: TestEngine;
  readonly #gateway: FaultyGateway;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #after: number;
  readonly #random: (least: number, most: number) => number;
  readonly #key = randomUUID();
  readonly #sent: Parameters<TestApp['post']>[1][] = [];
  #held: { readonly held: Held; readonly response: Promise<unknown> } | undefined;
  /** The codes of responses that retries with the key would get as well. */
  readonly final: string[] = [];
  /** The names of the steps, for failures. */
  readonly steps: string[] = [];

  constructor(
    parts: { app: TestApp; engine: TestEngine; gateway: FaultyGateway; authorization: string; after: number },
    random: (least: number, most: number) => number,
  ) {
    this.#app = parts.app;
    this.#engine = parts.engine;
    this.#gateway = parts.gateway;
    this.#headers = { authorization: parts.authorization };
    this.#after = parts.after;
    this.#random = random;
  }

  async run(): Promise<void> {
    // A charge that succeeds at once leaves little to happen.
    const beginnings = [
      ['faulty request', () => this.#withFault(() => this.request())],
      ['held request', () => this.#hold()],
    ] as const;
    const steps = [
      ...beginnings,
      ['request', () => this.request()],
      ['release', () => this.#release()],
      ['message of success', () => this.#reportSuccess()],
      ['message of failure', () => this.#reportFailure()],
      ['message again', () => this.#repeatMessage()],
      ['refund', () => this.#refund()],
      ['faulty refund', () => this.#withFault(() => this.#refund())],
      ['end of leases', async () => this.#app.clock.advance(LIMITS.idempotencyLease)],
      ['reconciler', () => this.#reconcile()],
      ['faulty reconciler', () => this.#withFault(() => this.#reconcile())],
    ] as const;
    for (let step = 0; step < STEPS; step += 1) {
      const [name, take] = pick(step === 0 ? beginnings : steps, this.#random);
      this.steps.push(name);
      await take();
    }
    await this.#release();
    this.#app.clock.advance(LIMITS.reconcilePause);
    await this.#reconcile();
  }

  /** Requests the charge, always with the same key. */
  async request() {
    const headers = { ...this.#headers, 'idempotency-key': this.#key };
    const response = await this.#app.post<Charge & ErrorBody>('/v2/charges', { headers, body: CHARGE });
    if (response.status === 422) this.final.push(response.body.error.code);
    return response;
  }

  async charges(): Promise<readonly ChargeRecord[]> {
    const rows = await this.#engine.place.query(`
      select c.id, c.status, c.payment_id, c.check_at, c.amount_refunded, c.amount_reserved,
        (select coalesce(sum(p.moved), 0) from sandbox_payments p where p.key = c.reference) as taken,
        (select coalesce(sum(-p.moved), 0) from sandbox_payments p
          join refunds r on r.reference = p.key where r.charge_id = c.id) as returned,
        (select count(*) from refunds r where r.charge_id = c.id and r.status = 'pending') as refunding
      from charges c where c.id > ${this.#after} order by c.id`);
    return rows.map((row) => ({
      id: Number(row['id']),
      status: String(row['status']),
      isNamed: row['payment_id'] !== null,
      isOpen: row['check_at'] !== null || row['status'] === 'pending' || Number(row['refunding']) > 0,
      refunded: Number(row['amount_refunded']),
      reserved: Number(row['amount_reserved']),
      taken: Number(row['taken']),
      returned: Number(row['returned']),
    }));
  }

  async #withFault(step: () => Promise<unknown>): Promise<void> {
    const { calls } = this.#gateway;
    this.#gateway.next(pick(QUICK, this.#random));
    await step();
    // If the step did not reach the gateway, nothing else may get its fault.
    if (this.#gateway.calls === calls) this.#gateway.forget();
  }

  /** Sends a request that stays at the gateway until it is released. */
  async #hold(): Promise<void> {
    if (this.#held) return;
    const reached = this.#gateway.holdCharge();
    const response = this.request();
    const held = await Promise.race([reached, response.then(() => undefined)]);
    if (held) this.#held = { held, response };
    else this.#gateway.forget();
  }

  async #release(): Promise<void> {
    const { held, response } = this.#held ?? {};
    this.#held = undefined;
    held?.go(...(this.#random(0, 1) === 0 ? [] : [pick(QUICK, this.#random)]));
    await response;
  }

  /** Reports the truth, with or without the id of the payment. */
  async #reportSuccess(): Promise<void> {
    const charge = (await this.charges()).at(-1);
    if (!charge || charge.taken === 0) return;
    const [row] = await this.#engine.place.query(
      `select p.payment_id from sandbox_payments p join charges c on c.reference = p.key where c.id = ${charge.id}`,
    );
    const isNamed = this.#random(0, 1) === 0;
    const data = { charge_id: charge.id, ...(isNamed && { payment_id: String(row?.['payment_id']) }) };
    await this.#tell('charge.succeeded', data);
  }

  /** Reports a failure that may be that of an earlier attempt. */
  async #reportFailure(): Promise<void> {
    const charge = (await this.charges()).at(-1);
    const code = pick(['lost_card', NOT_MADE, undefined], this.#random);
    if (charge) await this.#tell('charge.failed', { charge_id: charge.id, failure_code: code });
  }

  async #tell(type: string, data: object): Promise<void> {
    const message = signedEvent(this.#app, { type, data });
    this.#sent.push(message);
    expect((await this.#app.post('/v1/payment-events', message)).status).toBe(200);
  }

  async #repeatMessage(): Promise<void> {
    const message = this.#sent.at(-1);
    // 401 if its signature is too old by now.
    if (message) expect((await this.#app.post('/v1/payment-events', message)).status).toBeLessThan(500);
  }

  async #refund(): Promise<void> {
    const charge = (await this.charges()).at(-1);
    if (!charge) return;
    const body = pick([{}, { amount: { value: 5, currency: 'USD' } }], this.#random);
    const key = pick([undefined, this.#key, randomUUID()], this.#random);
    const headers = { ...this.#headers, ...(key !== undefined && { 'idempotency-key': key }) };
    await this.#app.post(`/v2/charges/${charge.id}/refunds`, { headers, body });
  }

  async #reconcile(): Promise<void> {
    this.#app.clock.advance(LIMITS.reconcileAfter);
    await this.#app.reconciler.sweep();
  }
}

function pick<T>(choices: readonly T[], random: (least: number, most: number) => number): T {
  // The index is within the bounds.
  return choices[random(0, choices.length - 1)] as T;
}

describeEachEngine('a payment', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, { gateway });
  // The statements are the same on each engine.
  const histories = runsAllCases(engine) ? HISTORIES : Math.ceil(HISTORIES / 5);

  let authorization = '';
  beforeAll(async () => {
    authorization = `ApiKey ${(await createKey(app, { scopes: ['write:charges'] })).key}`;
  });

  test(`is made at most once, and agrees with the gateway, in ${histories} random histories`, async () => {
    for (let seed = SEED; seed < SEED + histories; seed += 1) {
      const [row] = await engine.place.query('select coalesce(max(id), 0) as id from charges');
      const after = Number(row?.['id']);
      const parts = { app, engine, gateway, authorization, after };
      const history = new History(parts, randomIntegers(seed));
      await history.run();
      const last = await history.request();
      const charges = await history.charges();
      const said = `SEED=${seed}: ${history.steps.join(', ')}`;
      const paid = charges.filter(({ taken }) => taken > 0);
      expect(paid.length, said).toBeLessThanOrEqual(1);
      expect([last.status, last.body.id ?? last.body.error?.code], said).toEqual(
        paid[0] ? [201, paid[0].id] : [422, 'card_declined'],
      );
      if (paid[0]) expect(history.final, said).toEqual([]);
      for (const { id, status, isNamed, isOpen, refunded, reserved, taken, returned } of charges) {
        const isPaid = status === 'succeeded' || status === 'refunded';
        const expected = { id, isOpen: false, isPaid: taken > 0, isNamed: taken > 0, reserved: returned };
        expect({ id, isOpen, isPaid, isNamed: isNamed && isPaid, reserved }, said).toEqual(expected);
        expect(refunded, said).toBe(returned);
      }
    }
  });
});
