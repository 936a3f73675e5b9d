import type {
  DocumentRow,
  EventRow,
  ListedDocument,
  OrderItemRow,
  OrderRow,
  WebhookAttemptRow,
  WebhookDeliveryRow,
} from '../../src/db/rows.ts';
import type { Item } from '../../src/generated/resolvers.ts';

/** An order on its way through the graph. Its items are there already when the operation was seen to ask for them. */
export type OrderNode = OrderRow & { readonly itemRows?: readonly OrderItemRow[] };

/** A line of an order, with every field but the product ready to be read. */
export type ItemNode = Omit<Item, 'product' | 'productId'> & { readonly productId: number };

/** A document. Its text is there already when it was read by itself, and not as one of a list. */
export type DocumentNode = ListedDocument & Partial<Pick<DocumentRow, 'body'>>;

/** An event with its position in the list that it came with. */
export type ActivityNode = EventRow & { readonly cursor: string };

/** A delivery. Its attempts are there already when the operation was seen to ask for them. */
export type WebhookDeliveryNode = WebhookDeliveryRow & {
  readonly attemptRows?: readonly WebhookAttemptRow[];
};
