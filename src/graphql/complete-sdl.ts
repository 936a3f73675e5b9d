import type { DocumentNode } from 'graphql';
import { addConnections } from './connections.ts';
import { addNodes } from './nodes.ts';

/** The SDL of `schema/` with everything that is derived from it. */
export const completeSdl = (documents: readonly DocumentNode[]): DocumentNode[] =>
  addNodes(addConnections(documents));
