import type { EventRow, UserRow } from '../../src/db/rows.ts';

/** An event with its position in the log. */
export type ActivityNode = EventRow & { readonly cursor: string };

export type ActorNode = UserRow;

export interface SubjectNode {
  readonly type: string;
  readonly id: number;
}
