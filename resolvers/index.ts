import type { Resolvers } from '../src/generated/resolvers.ts';
import { activity } from './activity.ts';
import { apiKey } from './api-key.ts';
import { charge } from './charge.ts';
import { document } from './document.ts';
import { member } from './member.ts';
import { order } from './order.ts';
import { paymentEvent } from './payment-event.ts';
import { product } from './product.ts';
import { session } from './session.ts';
import { user } from './user.ts';
import { webhook } from './webhook.ts';

/** How the schema is answered: one set of resolvers for each file of `schema/`. */
export const resolvers: readonly Resolvers[] = [
  activity,
  apiKey,
  charge,
  document,
  member,
  order,
  paymentEvent,
  product,
  session,
  user,
  webhook,
];
