/**
 * Exports: the whole list of a route with cursor pagination, read from one snapshot of the database and streamed. Each page is a
 * separate operation in the pipeline, so rights, points and scheduling are those of any other request.
 */
import type { FastifyReply } from 'fastify';
import { createRevalidation } from '../../auth/revalidation.ts';
import { type Deadline, Deadlines } from '../../core/deadline.ts';
import { ApiError } from '../../core/errors.ts';
import type { HttpParts } from '../parts.ts';
import { Exporting, type ExportingParts, type ExportRequest } from './exporting.ts';
import { ExportSlots } from './slots.ts';

export type Exports = ReturnType<typeof createExports>;

export function createExports(shared: HttpParts) {
  const parts: ExportingParts = {
    ...shared,
    requireStillValid: createRevalidation(shared.verifiers),
    slots: new ExportSlots(),
    times: new Deadlines(shared.config.timeouts.export),
  };
  const open = new Set<Deadline>();
  return {
    /** Sends an export. @throws ApiError before anything was sent. */
    async respond(asked: ExportRequest, reply: FastifyReply): Promise<FastifyReply> {
      if (shared.isDraining()) throw new ApiError('unavailable');
      const exporting = new Exporting(parts, asked, reply);
      open.add(exporting.life);
      try {
        await exporting.run();
      } finally {
        open.delete(exporting.life);
      }
      return reply;
    },
    /** Cuts off all exports. */
    close(): void {
      for (const life of [...open]) life.abort(new ApiError('restarting'));
    },
  };
}
