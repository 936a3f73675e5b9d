import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type Caller, createAuthentication } from './authentication.ts';
import { createOrders, type ItemRow, SORTS } from './orders.ts';
import { orderSchema, pageSchema, viewOf } from './views.ts';

export interface HandwrittenOptions {
  readonly databaseFile: string;
  readonly keysFile: string;
  readonly publicUrl: string;
}

const PAGE_MAX = 100;

const positive = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;
const bounded = { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 } as const;

interface ListQuery {
  readonly status?: string;
  readonly sort: string;
  readonly page: number;
  readonly limit: number;
}

/**
 * The two routes as a careful person would write them by hand, for this purpose and no other: the same tokens, rights,
 * checks, statements, headers and bodies as the server's, with nothing between them and Fastify.
 */
export async function createHandwritten(options: HandwrittenOptions): Promise<FastifyInstance> {
  const { databaseFile, keysFile, publicUrl } = options;
  const orders = createOrders(databaseFile);
  const authenticate = await createAuthentication(keysFile, publicUrl);
  const app = Fastify({
    // Unknown parameters are refused rather than dropped.
    ajv: { customOptions: { removeAdditional: false } },
  });
  app.addHook('onClose', async () => orders.close());

  /** The caller who may read orders; undefined when it was refused. */
  const reader = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller | undefined> => {
    const known = authenticate(request.headers.authorization);
    const caller = known instanceof Promise ? await known : known;
    if (caller === undefined) refuse(reply, 401, 'unauthenticated');
    else if (!caller.scopes.has('read:orders')) refuse(reply, 403, 'insufficient_scope');
    else return caller;
    return undefined;
  };

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
      const caller = await reader(request, reply);
      if (!caller) return reply;
      const { order_id: id } = request.params;
      const row = orders.find(caller.org, id);
      if (!row) return refuseMissing(reply, caller, orders.orgOfOrder(id));
      const [, , , , , version] = row;
      const etag = `"v${version}"`;
      reply
        .header('cache-control', 'private, no-cache')
        .header('vary', 'Authorization, Accept')
        .header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return viewOf(row, orders.itemsOf(id), publicUrl);
    },
  );

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
      const caller = await reader(request, reply);
      if (!caller) return reply;
      const { user_id: userId } = request.params;
      const org = orders.orgOfUser(userId);
      if (org !== caller.org) return refuseMissing(reply, caller, org);
      const { status, sort, page } = request.query;
      const limit = Math.min(request.query.limit, PAGE_MAX);
      const { rows, total } = orders.page({ org, userId, status, sort, limit, offset: (page - 1) * limit });
      const items = new Map<number, ItemRow[]>();
      for (const item of orders.itemsOfAll(rows.map(([id]) => id))) {
        const [, orderId] = item;
        const others = items.get(orderId);
        if (others) others.push(item);
        else items.set(orderId, [item]);
      }
      reply.header('cache-control', 'private, no-cache').header('vary', 'Authorization, Accept');
      return {
        data: rows.map((row) => viewOf(row, items.get(row[0]) ?? [], publicUrl)),
        pagination: { page, limit, total, next: page * limit < total ? nextOf(request, page + 1) : null },
      };
    },
  );

  return app;
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

function refuse(reply: FastifyReply, status: number, code: string): FastifyReply {
  return reply.code(status).send({ error: { code, message: code } });
}
