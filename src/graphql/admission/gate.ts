import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import type { Door, Refusal } from '../../metrics.ts';
import { authorizeOperation } from '../authorization.ts';
import type { Context } from '../context.ts';
import type { Pricing } from '../cost/pricing.ts';
import { createDocuments, type Documents } from './documents.ts';
import type { TrustedDocuments } from './manifest.ts';

export interface GateOptions {
  readonly schema: GraphQLSchema;
  readonly pricing: Pricing;
  /** Hides the schema: no introspection, and no "Did you mean" that would spell it out. */
  readonly production: boolean;
  /** Documents that clients were built with; undefined where there are none. */
  readonly trusted?: TrustedDocuments | undefined;
}

/** A document that may be run, or why none of its operations may. */
export type Reading = DocumentNode | ApiError;

/** An operation as a client sends it, whatever the door. */
export interface OperationRequest {
  readonly door: Door;
  /** What {@link Gate.read} made of the document. */
  readonly reading: Reading;
  /** Whether it came in a way that changes nothing (RFC 9110, section 9.2.1): mutations are refused then. */
  readonly isSafe?: boolean | undefined;
  /** Which of the document's operations; needed only where there are several. */
  readonly operationName?: string | null | undefined;
  /** As the client sent them. */
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** An operation that may run, for this caller and now. Its cost has been taken out of the caller's budget. */
export interface AdmittedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /**
   * Settles what the operation has really cost. One that failed in part keeps its price, for the work was done.
   *
   * @param result what the executor gave.
   */
  settle(result: { readonly data?: unknown; readonly errors?: unknown }): void;
}

/** What every operation passes before it runs, through whichever door it came: HTTP, WebSocket, or events of a server. */
export interface Gate extends Pick<Documents, 'textOf'> {
  /**
   * Reads a document that a client sent. It takes a few milliseconds for the worst of documents, and none for one that was
   * seen before. A refusal may be an `InvalidDocument`, with several mistakes.
   */
  read(text: string): Reading;
  /**
   * Lets an operation in, in the order of the steps: its document, whether there is such an operation, whether it may come
   * in this way, whether the caller may run it, what it costs, and whether the caller can pay for it.
   *
   * @throws ApiError why it may not run. A refusal has its price too.
   */
  admit(request: OperationRequest, context: Context): Promise<AdmittedOperation>;
}

/**
 * Waits for the turn of an operation whose document has not been read. Each door asks once.
 *
 * @throws ApiError `overloaded` when it is turned away.
 */
export function awaitTurn({ scheduler, flow, signal }: Context): Promise<void> | undefined {
  return scheduler.enter(flow, LIMITS.unreadDocumentCost, signal);
}

export function createGate({ schema, pricing, production, trusted }: GateOptions): Gate {
  const documents = createDocuments({ schema, production, trusted });
  return {
    textOf: documents.textOf,
    read(text) {
      try {
        return documents.read(text);
      } catch (error) {
        if (error instanceof ApiError) return error;
        throw error;
      }
    },
    async admit({ door, reading, isSafe, operationName, variables }, context) {
      const { metrics, spending, scheduler, flow } = context;
      try {
        if (reading instanceof ApiError) throw reading;
        const operation = findOperation(reading, operationName);
        if (isSafe && operation.operation === OperationTypeNode.MUTATION) {
          throw new ApiError('method_not_allowed', { message: 'Send mutations with POST.', allow: 'POST' });
        }
        authorizeOperation(schema, reading, operation, context);
        const price = pricing.of(reading, operation);
        const requested = price.requested(variables ?? {});
        metrics.cost(door, requested);
        await spending.take(requested);
        scheduler.charge(flow, Math.max(0, requested - LIMITS.unreadDocumentCost));
        return {
          document: reading,
          operation,
          settle: ({ data, errors }) => spending.settle(errors ? requested : price.actual(data)),
        };
      } catch (error) {
        await payForRefusal(error, context);
        throw error;
      }
    },
  };
}

/** Under what a refusal is counted; the others are counted by their codes alone. */
const REFUSALS: Readonly<Partial<Record<ErrorCode, Refusal>>> = {
  query_too_deep: 'depth',
  query_too_large: 'tokens',
  too_many_directives: 'tokens',
  too_many_aliases: 'fields',
  too_many_root_fields: 'fields',
  field_repeated: 'fields',
  cost_exceeded: 'cost',
  rate_limited: 'points',
};

async function payForRefusal(error: unknown, { metrics, spending }: Context): Promise<void> {
  if (!(error instanceof ApiError)) return;
  const refusal = REFUSALS[error.code];
  if (refusal) metrics.refused(refusal);
  // Neither was looked at.
  if (error.code === 'rate_limited' || error.code === 'overloaded') return;
  await spending.take(error.status === 400 ? LIMITS.refusedDocumentCost : 1);
}

function findOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new ApiError('operation_not_found');
  return operation;
}
