import {
  type DocumentNode,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql';
import { ApiError } from '../../core/errors.ts';
import { actualCost } from './actual.ts';
import { Prices } from './prices.ts';
import { requestedCost } from './requested.ts';

/** What an operation costs, in points. */
export interface OperationPrice {
  /**
   * What it costs at most with these variables, as the client sent them. Variables that do not fit cost 1: the executor
   * refuses them before anything runs.
   *
   * @throws ApiError `cost_exceeded`.
   */
  requested(variables: Readonly<Record<string, unknown>>): number;
  /** What it has cost, going by the `data` of its response. */
  actual(data: unknown): number;
}

/** Works out the price of an operation of a validated document, once for each. */
export interface Pricing {
  of(document: DocumentNode, operation: OperationDefinitionNode): OperationPrice;
}

/** @param most points that an operation may cost. */
export function createPricing(schema: GraphQLSchema, most: number): Pricing {
  const prices = new Prices(schema);
  const known = new WeakMap<OperationDefinitionNode, OperationPrice>();
  return {
    of(document, operation) {
      let price = known.get(operation);
      if (!price) {
        price = priceOf(schema, prices, most, document, operation);
        known.set(operation, price);
      }
      return price;
    },
  };
}

function priceOf(
  schema: GraphQLSchema,
  prices: Prices,
  most: number,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationPrice {
  const requested = requestedCost(schema, prices, document, operation);
  const definitions = operation.variableDefinitions ?? [];
  return {
    requested(variables) {
      let points = 1;
      if (typeof requested === 'number') points = requested;
      else {
        const { coerced } = getVariableValues(schema, definitions, variables, { maxErrors: 1 });
        if (coerced) points = requested(coerced);
      }
      if (points > most) {
        throw new ApiError('cost_exceeded', {
          message: `The operation costs up to ${points} points; the maximum is ${most}. Ask for shorter lists.`,
        });
      }
      return points;
    },
    actual: actualCost(schema, prices, document, operation),
  };
}
