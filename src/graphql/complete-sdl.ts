import type { DocumentNode } from 'graphql';
import { addConnections } from './connections.ts';
import { addNodes } from './nodes.ts';

/** The SDL of `schema/` with everything that follows from what is written there. */
export const completeSdl = (documents: readonly DocumentNode[]): DocumentNode[] =>
  addNodes(addConnections(documents));
