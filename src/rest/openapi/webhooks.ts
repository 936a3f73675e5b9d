import { EVENT_CATALOGUE, subjectTypeOf } from '../../events/catalogue.ts';
import { type EventDeclaration, schemaOf } from '../../events/declare.ts';
import { objectOf, pascalCase } from './shapes.ts';
import type { PathItem, Schema, Tag } from './types.ts';

const TAG = 'Webhook messages';

export const MESSAGE_TAGS: readonly Tag[] = [
  {
    name: TAG,
    description: 'Messages to webhooks, signed as Standard Webhooks specifies.',
  },
];

/** Returns the messages to webhooks, by event type. */
export const webhookMessages = (): Record<string, PathItem> =>
  Object.fromEntries(
    Object.entries<EventDeclaration>(EVENT_CATALOGUE).map(([type, declaration]) => [
      type,
      { post: messageOf(type, declaration) },
    ]),
  );

/** Returns the operation id of an event type: `order.created` becomes `OrderCreatedMessage`. */
const operationIdOf = (type: string): string => `${pascalCase(type)}Message`;

const messageOf = (type: string, { description, data }: EventDeclaration): PathItem[string] => ({
  operationId: operationIdOf(type),
  summary: description.replace(/\.$/, ''),
  description:
    'The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` identify and sign the message.',
  tags: [TAG],
  security: [],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: bodyOf(type, schemaOf(data)) } },
  },
  responses: {
    '2XX': { description: 'The message is accepted.' },
    '410': { description: 'No further messages are wanted: the webhook is disabled.' },
  },
});

const TIME: Schema = { type: 'string', format: 'date-time' };

/** The body of a message (`src/webhooks/sender.ts`). */
function bodyOf(type: string, data: Schema): Schema {
  const event = objectOf({
    id: { type: 'integer', description: 'Identifier. Later events have greater ones.' },
    type: { const: type },
    actor_id: { type: ['integer', 'null'], description: 'The id of the actor; null for the server.' },
    subject: objectOf({ type: { const: subjectTypeOf(type) }, id: { type: 'integer' } }),
    data,
    created_at: TIME,
  });
  return objectOf({ type: { const: type }, timestamp: TIME, data: event });
}
