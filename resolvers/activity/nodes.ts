import type { EventRow, UserRow } from '../../src/db/rows.ts';

/** An event with its position in the list that it came with. */
export type ActivityNode = EventRow & { readonly cursor: string };

export type ActorNode = UserRow;
