import type { StreamRoute } from '../handle/stream-route.ts';
import type { Components } from './components.ts';
import { flowing } from './prose.ts';
import type { Operation, Parameter, Response } from './types.ts';

const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'With Accept: text/event-stream, the `id:` of the last event received: the stream resumes after it.',
  required: false,
  schema: { type: 'string' },
};

/** Adds the stream on an operation's path: server-sent events (HTML, section 9.2) for clients that accept them. */
export function withStream(operation: Operation, stream: StreamRoute, components: Components): Operation {
  const page = operation.responses['200'];
  if (!page || '$ref' in page) return operation;
  const data = components.shape(stream.dataSchema, stream.document);
  const example = `id: 5f3cQ\ndata: ${JSON.stringify(components.sample(data))}\n\n`;
  const description = `${flowing(stream.description)} Each event has its cursor in \`id:\`, and one item of the list in \`data:\`.`;
  const streamed: Response = {
    ...page,
    content: { ...page.content, 'text/event-stream': { schema: { type: 'string', description }, example } },
  };
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), LAST_EVENT_ID],
    responses: { ...operation.responses, 200: streamed },
  };
}
