/**
 * Taking over a charge that another request started and did not finish. One request takes over; the original
 * one, if it resumes late, changes nothing.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { startApp } from '../support/app.ts';
import type { Answer, ErrorBody } from '../support/client.ts';
import { describeEachEngine } from '../support/engines.ts';
import { postCharge } from '../support/fixtures/charges.ts';
import { waitUntil } from '../support/process.ts';
import type { Charge } from '../support/response-bodies.ts';
import { chargesOfEachTest, TAKEN } from './charge-traces.ts';
import { type ChargeFault, FAULTS, FaultyGateway, type Held } from './faulty-gateway.ts';

const RACERS = 10;

/** Milliseconds of real time: a test that holds requests may take several seconds. */
const PATIENCE = 60_000;

type ChargeAnswer = Answer<Charge & ErrorBody>;

describeEachEngine('taking over a charge', (engine) => {
  const gateway = new FaultyGateway(engine);
  const app = startApp(engine, {
    gateway,
    payments: { gatewayTimeout: PATIENCE },
    operations: { deadline: PATIENCE },
  });

  const { traces } = chargesOfEachTest(engine, app);
  const ask = (key: string): Promise<ChargeAnswer> => postCharge<Charge & ErrorBody>(app, { key });

  /** Starts a request and holds it at the gateway. */
  async function begin(key: string): Promise<{ held: Held; answer: Promise<ChargeAnswer> }> {
    const reached = gateway.holdCharge();
    const response = ask(key);
    return { held: await reached, answer: response };
  }

  /** Starts two requests under one key, the second of which takes over from the first. */
  async function beginTwice(key: string) {
    const first = await begin(key);
    app.clock.advance(LIMITS.idempotencyLease);
    const second = await begin(key);
    return { first, second };
  }

  const isInProgress = ({ status, body }: ChargeAnswer) =>
    status === 409 && body.error.code === 'idempotency_in_progress';

  test('does not happen before the lease expires', async () => {
    const key = randomUUID();
    const first = await begin(key);
    app.clock.advance(LIMITS.idempotencyLease - 1);
    const calls = gateway.calls;
    const early = await ask(key);
    expect([isInProgress(early), early.headers.get('retry-after')]).toEqual([true, '1']);
    expect(gateway.calls).toBe(calls);
    first.held.go();
    expect((await first.answer).status).toBe(201);
    expect(await traces()).toEqual([TAKEN]);
  });

  engine.testConcurrent(
    'at the same time succeeds for one request, and the others have to wait',
    async () => {
      const key = randomUUID();
      const first = await begin(key);
      app.clock.advance(LIMITS.idempotencyLease);
      const calls = gateway.calls;
      const reached = gateway.holdCharge();
      const losers: ChargeAnswer[] = [];
      const winners: ChargeAnswer[] = [];
      const all = Promise.all(
        Array.from({ length: RACERS }, async () => {
          const response = await ask(key);
          (response.status === 201 ? winners : losers).push(response);
        }),
      );
      const held = await reached;
      await waitUntil(() => losers.length === RACERS - 1, 'all but the request at the gateway');
      expect(losers.filter(isInProgress)).toHaveLength(RACERS - 1);
      expect(gateway.calls).toBe(calls + 1);
      expect(await traces()).toMatchObject([{ status: 'pending', version: 1, taken: 0, events: [] }]);

      held.go();
      await all;
      expect(winners.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null]);
      first.held.go();
      const late = await first.answer;
      expect([late.status, late.text]).toEqual([201, winners[0]?.text]);
      expect(await traces()).toEqual([TAKEN]);
    },
  );

  test('completes the charge, and the late request gets the outcome', async () => {
    const { first, second } = await beginTwice(randomUUID());
    second.held.go();
    const response = await second.answer;
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([201, null]);
    first.held.go();
    const late = await first.answer;
    expect([late.status, late.text]).toEqual([201, response.text]);
    expect(late.headers.get('idempotent-replayed')).toBe('true');
    expect(await traces()).toEqual([TAKEN]);
  });

  test('loses to a success of the late request, which applies at once', async () => {
    const { first, second } = await beginTwice(randomUUID());
    first.held.go();
    expect(isInProgress(await first.answer)).toBe(true);
    expect(await traces()).toEqual([TAKEN]);
    second.held.go();
    expect((await second.answer).status).toBe(201);
    expect(await traces()).toEqual([TAKEN]);
  });

  describe('is not affected by a late', () => {
    test.each<[string, ChargeFault]>([
      ['declined card', async () => ({ status: 'declined', reason: 'lost_card', paymentId: null })],
      ['refused source', async () => ({ status: 'refused', at: 'source', problem: 'is not known' })],
    ])('%s', async (_, answered) => {
      const key = randomUUID();
      const { first, second } = await beginTwice(key);
      first.held.go(answered);
      expect(isInProgress(await first.answer)).toBe(true);
      expect(await traces()).toMatchObject([{ status: 'pending', version: 1, events: [] }]);
      second.held.go();
      expect((await second.answer).status).toBe(201);
      expect(await traces()).toEqual([TAKEN]);
    });

    test('failure, which does not free the key', async () => {
      const key = randomUUID();
      const { first, second } = await beginTwice(key);
      first.held.go(FAULTS['is down']);
      expect((await first.answer).status).toBe(503);
      const calls = gateway.calls;
      expect(isInProgress(await ask(key))).toBe(true);
      expect(gateway.calls).toBe(calls);
      second.held.go();
      expect((await second.answer).status).toBe(201);
      expect(await traces()).toEqual([TAKEN]);
    });
  });

  test('that fails lets the late request take over again', async () => {
    const { first, second } = await beginTwice(randomUUID());
    second.held.go(FAULTS['moves the money and returns nonsense']);
    expect((await second.answer).status).toBe(502);
    first.held.go();
    expect((await first.answer).status).toBe(201);
    expect(await traces()).toEqual([TAKEN]);
  });
});
