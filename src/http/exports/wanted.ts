/** Detects requests for exports. */
import type { FastifyRequest } from 'fastify';
import { EXPORT_TYPES, type ExportType } from '../../rest/index.ts';
import { rangeOf, weightOf } from '../negotiation.ts';
import { EVENT_STREAM } from '../streams/event-stream-request.ts';

export interface WantedExport {
  readonly type: ExportType;
  /** Whether the client requests a last line that marks the list as complete, in a format without one. */
  readonly endLine: boolean;
}

/** The parameter of a media range that requests the last line: `text/csv;end=line`. */
const END_LINE = /^end\s*=\s*"?line"?$/;

/** Returns the export that a client explicitly prefers to a page and to events; undefined for none. */
export function wantedExport({ headers: { accept } }: FastifyRequest): WantedExport | undefined {
  // A quick check, since most requests do not name these types.
  if (accept === undefined || !EXPORT_TYPES.some((type) => accept.toLowerCase().includes(type)))
    return undefined;
  const ranges = EXPORT_TYPES.map((type) => ({ type, range: rangeOf(type, accept) }));
  const most = Math.max(...ranges.map(({ range }) => range?.weight ?? 0));
  const others = ['application/json', EVENT_STREAM].map((type) => weightOf(type, accept));
  const found = ranges.find(({ range }) => range?.weight === most);
  if (!found || most === 0 || others.some((weight) => weight >= most)) return undefined;
  const endLine = found.range?.parameters.some((parameter) => END_LINE.test(parameter)) ?? false;
  return { type: found.type, endLine };
}
