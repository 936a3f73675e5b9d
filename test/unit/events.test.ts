/** The catalogue of events: recorded events must match it, for the compiler and at run time. */
import { describe, expect, test } from 'vitest';
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType } from '../../src/events/catalogue.ts';
import { checkEvents, requireDeclaredData } from '../../src/events/check.ts';
import { columnsOf } from '../../src/events/record.ts';

checkEvents();

const clock = () => new Date(0);
const order = { user_id: 1, status: 'pending', total: 39.98, currency: 'USD' } as const;
const charge = { amount: { value: 1.5, currency: 'USD' }, status: 'failed', order_id: null } as const;

describe('the catalogue of events', () => {
  test.each(EVENT_TYPES)('%s is a subject and its change, with a description of each member', (type) => {
    const { description, data } = EVENT_CATALOGUE[type];
    expect(type).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
    expect(description).toMatch(/^[A-Z].*\.$/);
    for (const [name, { schema }] of Object.entries(data)) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(schema.description).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe('a recorded event', () => {
  test('has the columns of its type', () => {
    const event = { org: 'acme', type: 'order.created', subjectId: 7, data: order } as const;
    expect(columnsOf(event, clock)).toEqual({ ...event, subjectType: 'order', createdAt: new Date(0) });
  });

  test('does not compile with the data of another event type', () => {
    // @ts-expect-error: a member is missing.
    expect(() => columnsOf({ org: 'acme', type: 'user.updated', subjectId: 1, data: {} }, clock)).toThrow();
    const event = { org: 'acme', type: 'user.updated', subjectId: 1, data: order } as const;
    // @ts-expect-error: it is the data of an order.
    expect(() => columnsOf(event, clock)).toThrow();
  });

  const UNFIT: readonly (readonly [EventType, unknown, string])[] = [
    ['order.created', { ...order, total: '39.98' }, 'data.total is not number'],
    ['order.created', { ...order, status: 'lost' }, 'data.status is none of its values'],
    ['order.created', { ...order, body: 'x' }, 'data.body is not declared'],
    ['order.created', { ...order, constructor: 'x' }, 'data.constructor is not declared'],
    ['order.created', null, 'data is not object'],
    ['user.updated', {}, 'data.name is missing'],
    ['api_key.created', { name: 'x', scopes: ['a', 1], expires_at: null }, 'data.scopes.1 is not string'],
    ['charge.failed', { ...charge, amount: { value: 1 } }, 'data.amount.currency is missing'],
    ['charge.failed', { ...charge, order_id: 'x' }, 'data.order_id is not integer or null'],
  ];

  test.each(UNFIT)('%s with %j does not match', (type, data, problem) => {
    expect(() => requireDeclaredData(type, data)).toThrow(
      `An event ${type} does not match the catalogue: ${problem}.`,
    );
  });

  test('may omit optional members and have null in nullable ones', () => {
    expect(() => requireDeclaredData('charge.failed', charge)).not.toThrow();
    expect(() => requireDeclaredData('charge.failed', { ...charge, failure_code: 'x' })).not.toThrow();
  });
});
