/** `POST /graphql` of the hand-written server: exactly the measured operations, looked up by their text. */
import fastJsonStringify from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';
import { ORDER_DOCUMENT, USER_DOCUMENT, USER_ORDERS } from '../peers/documents.ts';
import type { Caller } from './authentication.ts';
import { type Authorize, refuse } from './handwritten.ts';
import type { ContestantParts } from './main.ts';
import { object, orderNodeSchema, userNodeSchema, wholeNodeOf } from './views.ts';

interface KnownOperation {
  readonly scopes: readonly [string, ...string[]];
  /** Returns the response as JSON text; undefined if there is no row with this id. */
  run(caller: Caller, id: number): Promise<string | undefined>;
}

const ID = /^[1-9]\d{0,14}$/;

export function addKnownOperations(app: FastifyInstance, parts: ContestantParts, authorize: Authorize): void {
  const operations = new Map<unknown, KnownOperation>([
    [ORDER_DOCUMENT, orderOperation(parts)],
    [USER_DOCUMENT, userOperation(parts)],
  ]);
  app.post<{ Body: { query: string; variables: { id: string } } }>(
    '/graphql',
    {
      schema: {
        body: object({ query: { type: 'string' }, variables: object({ id: { type: 'string' } }) }),
      },
    },
    async (request, reply) => {
      const { query, variables } = request.body;
      const operation = operations.get(query);
      if (!operation) return refuse(reply, 400, 'unknown_operation');
      const [scope, ...others] = operation.scopes;
      const caller = await authorize(request, reply, scope);
      if (!caller) return reply;
      if (!others.every((other) => caller.scopes.has(other))) return refuse(reply, 403, 'insufficient_scope');
      const body = ID.test(variables.id) ? await operation.run(caller, Number(variables.id)) : undefined;
      if (body === undefined) return refuse(reply, 404, 'not_found');
      reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store');
      return reply.send(body);
    },
  );
}

function orderOperation({ store, publicUrl }: ContestantParts): KnownOperation {
  const write = writer({ order: orderNodeSchema });
  return {
    scopes: ['read:orders'],
    async run({ org }, id) {
      const order = await store.order(org, id);
      return order && write({ data: { order: wholeNodeOf(order, publicUrl) } });
    },
  };
}

function userOperation({ store, publicUrl }: ContestantParts): KnownOperation {
  const write = writer({ user: userNodeSchema });
  return {
    scopes: ['read:users', 'read:orders'],
    async run({ org }, id) {
      const person = await store.person(org, id, USER_ORDERS);
      if (!person) return undefined;
      const { name } = person;
      const orders = person.orders.map((order) => wholeNodeOf(order, publicUrl));
      return write({ data: { user: { id, name, orders } } });
    },
  };
}

function writer(data: Record<string, object>): (response: object) => string {
  const schema: object = object({ data: object(data) });
  return fastJsonStringify(schema);
}
