/** What requests say about exports. */
import type { FastifyRequest } from 'fastify';
import { EXPORT_TYPES, type ExportType } from '../../rest/index.ts';
import { rangeOf, weightOf } from '../negotiation.ts';
import { EVENT_STREAM } from '../streams/event-stream-request.ts';

export interface WantedExport {
  readonly type: ExportType;
  /** Whether the client asks for a last line that says that the list is complete, where the format has none. */
  readonly endLine: boolean;
}

/** The parameter of a media range that asks for the last line: `text/csv;end=line`. */
const END_LINE = /^end\s*=\s*"?line"?$/;

/** The export that a client asks for, by name, and rather than for a page or for events; undefined for none. */
export function wantedExport({ headers: { accept } }: FastifyRequest): WantedExport | undefined {
  // Most name no more than one type.
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
