import { defaultFieldResolver, type GraphQLSchema, getNamedType, isCompositeType } from 'graphql';
import type { Context } from '../../resolvers/shared/context.ts';
import type { Tracing } from '../observability/tracing.ts';
import { fieldsOfObjects } from './field.ts';

/** The context of the pipeline, which has the tracing of its server, if there is one. */
interface Traced extends Context {
  readonly tracing?: Tracing;
}

/** Wraps the resolvers of root fields, and of fields that return objects, in spans. Call it only if requests may be traced. */
export function traceResolvers(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const [type, field] of fieldsOfObjects(schema)) {
    const { resolve } = field;
    if (!resolve || resolve === defaultFieldResolver) continue;
    if (!roots.includes(type) && !isCompositeType(getNamedType(field.type))) continue;
    const name = `${type.name}.${field.name}`;
    field.resolve = (source, args, context: Context, info) => {
      const work = () => resolve(source, args, context, info);
      const { tracing }: Traced = context;
      return tracing ? tracing.span(name, { 'graphql.field': name }, work) : work();
    };
  }
}
