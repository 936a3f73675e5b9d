import type { Resolvers } from '../src/generated/resolvers.ts';
import { activity } from './activity/resolvers.ts';
import { apiKey } from './api-key/resolvers.ts';
import { charge } from './charge/resolvers.ts';
import { document } from './document/resolvers.ts';
import { member } from './member/resolvers.ts';
import { order } from './order/resolvers.ts';
import { paymentEvent } from './payment-event/resolvers.ts';
import { product } from './product/resolvers.ts';
import { session } from './session/resolvers.ts';
import { user } from './user/resolvers.ts';
import { webhook } from './webhook/resolvers.ts';

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
