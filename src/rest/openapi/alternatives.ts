/** What a list is besides a page of JSON, for clients that accept other media types: an export, and a stream of its items. */
import type { Route } from '../compile/route.ts';
import { EXPORT_TYPES, type ExportType } from '../export/formats.ts';
import type { StreamRoute } from '../handle/stream-route.ts';
import type { Components } from './components.ts';
import { optionalHeaders } from './headers.ts';
import { flowing, parameterOf, text } from './shapes.ts';
import type { Operation, Response } from './types.ts';

const WHOLE =
  'The whole list with the same filters, as a snapshot, without `limit` and `cursor`. A truncated response lacks its end.';

const DESCRIPTIONS: Readonly<Record<ExportType, string>> = {
  'application/x-ndjson': `${WHOLE} Each line is an item of the list as JSON; the last line is \`{"complete":true,"rows":N}\`.`,
  'text/csv': `${WHOLE} RFC 4180, with a header row; a text that begins like a formula has an apostrophe before it. The trailer Portico-Complete has \`rows=N\`; with \`Accept: text/csv;end=line\` the last line is \`# complete: rows=N\`.`,
};

/** Adds the export to an operation with a list: the whole list, for clients that accept one of the media types of exports. */
export function withExport(operation: Operation, route: Route, components: Components): Operation {
  const page = operation.responses[route.status];
  const { export: of, view } = route;
  if (!of || !page || '$ref' in page) return operation;
  const sample = components.sample(components.shape(view.bodySchema, route.document));
  const rows = of.rowsIn(sample);
  const content = EXPORT_TYPES.map((type) => {
    const { header, write, end } = of.formats[type];
    const schema = text(flowing(DESCRIPTIONS[type]));
    return [type, { schema, example: header + write(rows) + end(rows.length, false) }] as const;
  });
  const whole = { ...withoutTag(page), content: { ...page.content, ...Object.fromEntries(content) } };
  const unmodified = operation.responses['304'];
  return {
    ...operation,
    description: `${operation.description}\n\nAs an export, a row costs ${of.pointsPerRow === 1 ? 'a point' : `${of.pointsPerRow} points`}.`,
    responses: {
      ...operation.responses,
      [route.status]: whole,
      ...(unmodified && !('$ref' in unmodified) && { 304: withoutTag(unmodified) }),
    },
  };
}

/** Makes the entity tag optional: a page has one, an export has none. */
const withoutTag = (response: Response): Response => ({
  ...response,
  headers: { ...response.headers, ...optionalHeaders('ETag') },
});

const LAST_EVENT_ID = parameterOf(
  'header',
  'Last-Event-ID',
  'With Accept: text/event-stream, the `id:` of the last event received: the stream resumes after it.',
  false,
);

/** Adds the stream on an operation's path: server-sent events (HTML, section 9.2) for clients that accept them. */
export function withStream(operation: Operation, stream: StreamRoute, components: Components): Operation {
  const page = operation.responses['200'];
  if (!page || '$ref' in page) return operation;
  const data = components.shape(stream.dataSchema, stream.document);
  const example = `id: 5f3cQ\ndata: ${JSON.stringify(components.sample(data))}\n\n`;
  const description = `${flowing(stream.description)} Each event has its cursor in \`id:\`, and one item of the list in \`data:\`.`;
  const streamed: Response = {
    ...page,
    content: { ...page.content, 'text/event-stream': { schema: text(description), example } },
  };
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), LAST_EVENT_ID],
    responses: { ...operation.responses, 200: streamed },
  };
}
