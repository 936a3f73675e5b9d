import { createHash } from 'node:crypto';
import type { RouteOptions } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { publicHeaders } from './texts.ts';

/** Number of cells on each side of the pattern. The left half is mirrored, so that every pattern is a shape. */
const CELLS = 5;
const CELL_SIZE = 20;
/** Seconds for which a picture may be cached: it depends on its name alone and never changes. */
const A_YEAR = 31_536_000;

/** Placeholder pictures of people and products, derived only from the id in their name. */
export const imageRoute: RouteOptions = {
  method: 'GET',
  url: '/images/:name',
  handler: (request, reply) => {
    // Fastify's router returns strings by name.
    const { name } = request.params as { readonly name: string };
    if (!/^(user|product)-[1-9]\d{0,15}\.svg$/.test(name)) throw new ApiError('not_found');
    return reply
      .type('image/svg+xml')
      .headers(publicHeaders(`max-age=${A_YEAR}, immutable`))
      .send(draw(name));
  },
};

function draw(name: string): string {
  const bytes = createHash('sha256').update(name).digest();
  const hue = Math.round((bytes.readUInt8(0) / 256) * 360);
  const half = Math.ceil(CELLS / 2);
  const cells = Array.from({ length: CELLS * CELLS }, (_, index) => {
    const row = Math.floor(index / CELLS);
    const column = index % CELLS;
    const source = Math.min(column, CELLS - 1 - column);
    const filled = bytes.readUInt8(1 + row * half + source) % 2 === 1;
    return filled
      ? `<rect x="${column * CELL_SIZE}" y="${row * CELL_SIZE}" width="${CELL_SIZE}" height="${CELL_SIZE}"/>`
      : '';
  });
  const side = CELLS * CELL_SIZE;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" role="img">`,
    `<rect width="${side}" height="${side}" fill="hsl(${hue} 40% 92%)"/>`,
    `<g fill="hsl(${hue} 50% 45%)">${cells.join('')}</g></svg>`,
  ].join('');
}
