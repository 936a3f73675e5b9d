/** The REST routes of the hand-written server. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from './authentication.ts';
import { type Authorize, refuse } from './handwritten.ts';
import type { ContestantParts } from './main.ts';
import { type NewOrder, SORTS, type Sort } from './store/store.ts';
import { list, object, orderSchema, pageSchema, viewOf } from './views.ts';

const PAGE_MAX = 100;

const positive = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;
const bounded = { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 } as const;

interface ListQuery {
  readonly status?: string;
  readonly sort: Sort;
  readonly page: number;
  readonly limit: number;
}

export function addOrderRoutes(app: FastifyInstance, parts: ContestantParts, authorize: Authorize): void {
  addGetOrder(app, parts, authorize);
  addListOrders(app, parts, authorize);
  addPlaceOrder(app, parts, authorize);
}

function addGetOrder(app: FastifyInstance, { store, publicUrl }: ContestantParts, authorize: Authorize) {
  app.get<{ Params: { order_id: number } }>(
    '/v1/orders/:order_id',
    {
      schema: {
        params: { type: 'object', properties: { order_id: positive } },
        querystring: { type: 'object', additionalProperties: false },
        response: { 200: orderSchema },
      },
    },
    async (request, reply) => {
      const caller = await authorize(request, reply, 'read:orders');
      if (!caller) return reply;
      const { order_id: id } = request.params;
      const found = await store.order(caller.org, id);
      if (!found) return refuseMissing(reply, caller, await store.orgOfOrder(id));
      const [, , , , , version] = found.order;
      const etag = `"v${version}"`;
      reply
        .header('cache-control', 'private, no-cache')
        .header('vary', 'Authorization, Accept')
        .header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return viewOf(found, publicUrl);
    },
  );
}

function addListOrders(app: FastifyInstance, { store, publicUrl }: ContestantParts, authorize: Authorize) {
  app.get<{ Params: { user_id: number }; Querystring: ListQuery }>(
    '/v1/users/:user_id/orders',
    {
      schema: {
        params: { type: 'object', properties: { user_id: positive } },
        querystring: {
          type: 'object',
          additionalProperties: false,
          properties: {
            status: { type: 'string', enum: ['pending', 'cancelled', 'shipped'] },
            sort: { type: 'string', enum: Object.keys(SORTS), default: '-created_at' },
            page: { ...bounded, default: 1 },
            limit: { ...bounded, default: 20 },
          },
        },
        response: { 200: pageSchema },
      },
    },
    async (request, reply) => {
      const caller = await authorize(request, reply, 'read:orders');
      if (!caller) return reply;
      const { user_id: userId } = request.params;
      const { org } = caller;
      const { status, sort, page } = request.query;
      const limit = Math.min(request.query.limit, PAGE_MAX);
      const offset = (page - 1) * limit;
      const { orders, total } = await store.page({ org, userId, status, sort, limit, offset });
      // The query is limited to the organisation. If it finds nothing, the user may belong to another one.
      if (total === 0) {
        const owner = await store.orgOfUser(userId);
        if (owner !== org) return refuseMissing(reply, caller, owner);
      }
      reply.header('cache-control', 'private, no-cache').header('vary', 'Authorization, Accept');
      return {
        data: orders.map((order) => viewOf(order, publicUrl)),
        pagination: { page, limit, total, next: page * limit < total ? nextOf(request, page + 1) : null },
      };
    },
  );
}

function addPlaceOrder(app: FastifyInstance, { store, publicUrl }: ContestantParts, authorize: Authorize) {
  app.post<{ Params: { user_id: number }; Body: { items: NewOrder['lines'] } }>(
    '/v1/users/:user_id/orders',
    {
      schema: {
        params: { type: 'object', properties: { user_id: positive } },
        body: {
          ...object({
            items: {
              ...list({
                ...object({ product_id: positive, qty: { type: 'integer', minimum: 1, maximum: 10_000 } }),
                additionalProperties: false,
              }),
              minItems: 1,
              maxItems: 100,
            },
          }),
          additionalProperties: false,
        },
        response: { 201: orderSchema },
      },
    },
    async (request, reply) => {
      const caller = await authorize(request, reply, 'write:orders');
      if (!caller) return reply;
      const { user_id: userId } = request.params;
      const { org, userId: actorId } = caller;
      const placed = await store.place({ org, userId, actorId, lines: request.body.items });
      if (placed === 'unknown_user') return refuseMissing(reply, caller, await store.orgOfUser(userId));
      if (typeof placed === 'string') return refuse(reply, 422, placed);
      const [id, , , , , version] = placed.order;
      reply
        .code(201)
        .header('cache-control', 'private, no-cache')
        .header('location', `/v1/orders/${id}`)
        .header('etag', `"v${version}"`);
      return viewOf(placed, publicUrl);
    },
  );
}

function nextOf({ url }: FastifyRequest, page: number): string {
  const [path, query] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('page', String(page));
  return `${path}?${parameters}`;
}

function refuseMissing(reply: FastifyReply, caller: Caller, owner: string | undefined): FastifyReply {
  return owner === undefined || owner === caller.org
    ? refuse(reply, 404, 'not_found')
    : refuse(reply, 403, 'forbidden');
}
