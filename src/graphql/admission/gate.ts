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
   * Reads a document that a client sent, after its caller has paid for that. One that was seen before costs nothing and is there
   * at once. A refusal may be an `InvalidDocument`, with several mistakes; a caller without the points gets `rate_limited`, and
   * its document is not looked at.
   */
  read(text: string, context: Context): Reading | Promise<Reading>;
  /**
   * Lets an operation in, in the order of the steps: its document, whether there is such an operation, whether it may come
   * in this way, whether the caller may run it, what it costs, and whether the caller can pay for it.
   *
   * @throws ApiError why it may not run. A refusal has its price too.
   */
  admit(request: OperationRequest, context: Context): Promise<AdmittedOperation>;
  /**
   * Takes what a refusal costs that comes before {@link admit}.
   *
   * @throws ApiError `rate_limited`.
   */
  payForRefusal(error: unknown, context: Context): Promise<void>;
}

export function createGate({ schema, pricing, production, trusted }: GateOptions): Gate {
  const documents = createDocuments({ schema, production, trusted });
  const read = (text: string) => refusalOr(() => documents.read(text));
  return {
    textOf: documents.textOf,
    payForRefusal,
    read(text, { spending }) {
      const known = refusalOr(() => documents.find(text));
      if (known) return known;
      const cost = documents.readingCost(text);
      if (cost === 0) return read(text);
      const paid = refusalOr(() => spending.pay(cost));
      if (paid instanceof ApiError) return paid;
      return paid instanceof Promise ? paid.then(() => read(text), asRefusal) : read(text);
    },
    async admit({ door, reading, isSafe, operationName, variables }, context) {
      const { metrics, spending } = context;
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

/** What a step gives, or why it refuses. */
function refusalOr<T>(step: () => T): T | ApiError {
  try {
    return step();
  } catch (error) {
    return asRefusal(error);
  }
}

function asRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
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
  if (error.code === 'rate_limited') return;
  // A small budget may hold less than that.
  const points = error.status === 400 ? LIMITS.refusedDocumentCost : 1;
  await spending.pay(Math.min(points, spending.most));
}

function findOperation(
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationDefinitionNode {
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new ApiError('operation_not_found');
  return operation;
}
