import type { ApolloServerPlugin } from '@apollo/server';
import {
  defaultFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql';
import type { OpenSpan, Tracing } from '../tracing.ts';
import type { Context } from './context.ts';

/** The operation that a context is there for, where nobody runs it within its span. */
const operations = new WeakMap<Context, OpenSpan>();

/** Gives each operation of `/graphql` a span. One of REST has its own, around its execution. */
export const tracingPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async ({ contextValue }) => ({
    executionDidStart: async ({ operation, operationName }) => {
      const span = contextValue.tracing?.open(operationName ?? `anonymous ${operation.operation}`, {
        'graphql.operation.type': operation.operation,
      });
      if (span) operations.set(contextValue, span);
    },
    willSendResponse: async ({ errors }) => {
      operations.get(contextValue)?.end(errors && 'errors');
    },
  }),
};

/** Makes every field that is resolved to something with fields of its own a span. Without tracing nothing is wrapped. */
export function traceResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isRoot = [schema.getQueryType(), schema.getMutationType()].includes(type);
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || resolve === defaultFieldResolver) continue;
      if (!isRoot && !isCompositeType(getNamedType(field.type))) continue;
      const name = `${type.name}.${field.name}`;
      field.resolve = (source, args, context: Context, info) => {
        const work = () => resolve(source, args, context, info);
        const trace = ({ tracing }: { tracing?: Tracing }) =>
          tracing ? tracing.span(name, { 'graphql.field': name }, work) : work();
        const operation = operations.get(context);
        return operation ? operation.within(() => trace(context)) : trace(context);
      };
    }
  }
}
