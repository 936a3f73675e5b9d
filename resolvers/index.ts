import type { Resolvers } from '../src/generated/resolvers.ts';
import { activity } from './activity.ts';
import { document } from './document.ts';
import { order } from './order.ts';
import { product } from './product.ts';
import { session } from './session.ts';
import { user } from './user.ts';

/** How the schema is answered: one set of resolvers for each file of `schema/`. */
export const resolvers: readonly Resolvers[] = [activity, document, order, product, session, user];
