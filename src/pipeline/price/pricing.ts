import {
  type DocumentNode,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import { ApiError } from '../../core/errors.ts';
import { plainVariables } from '../plain-variables.ts';
import { actualCost } from './actual.ts';
import { Prices } from './prices.ts';
import { requestedCost } from './requested.ts';

/** The price of an operation, in points. */
export interface OperationPrice {
  /**
   * The maximum cost with these variables, as the client sent them. It is 1 for invalid variables, which the executor
   * refuses before anything runs.
   */
  requested(variables: Readonly<Record<string, unknown>>): number;
  /** The requested cost above which an operation is refused. */
  readonly most: number;
  /** The actual cost, counted from the `data` of the response. */
  actual(data: unknown): number;
}

/** Refuses an operation that costs too much. @throws ApiError `cost_exceeded`. */
export function requireAllowed({ most }: OperationPrice, points: number): void {
  if (points <= most) return;
  throw new ApiError('cost_exceeded', {
    message: `The operation costs up to ${points} points; the maximum is ${most}. Ask for shorter lists.`,
  });
}

/** Computes the price of each operation of validated documents once. */
export interface Pricing {
  of(document: DocumentNode, operation: OperationDefinitionNode): OperationPrice;
}

export interface PricingOptions {
  /** Maximum cost of an operation in points. */
  readonly cost: number;
  /** Maximum rows of a page. */
  readonly pageMax: number;
}

export function createPricing(schema: GraphQLSchema, options: PricingOptions): Pricing {
  const prices = new Prices(schema);
  const known = new WeakMap<OperationDefinitionNode, OperationPrice>();
  return {
    of(document, operation) {
      let price = known.get(operation);
      if (!price) {
        price = priceOf(schema, prices, options, document, operation);
        known.set(operation, price);
      }
      return price;
    },
  };
}

function priceOf(
  schema: GraphQLSchema,
  prices: Prices,
  { cost: most, pageMax }: PricingOptions,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationPrice {
  const requested = requestedCost(schema, prices, document, operation, pageMax);
  const definitions = operation.variableDefinitions ?? [];
  const arePlain = plainVariables(schema, operation);
  return {
    requested(variables) {
      if (typeof requested === 'number') return requested;
      if (arePlain(variables)) return requested(variables);
      const { coerced } = getVariableValues(schema, definitions, variables, { maxErrors: 1 });
      return coerced ? requested(coerced) : 1;
    },
    most,
    actual: actualCost(schema, prices, document, operation),
  };
}
