import {
  defaultFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql';
import type { Tracing } from '../observability/tracing.ts';

/** A context with the tracing of its server, if there is one. */
interface Traced {
  readonly tracing?: Tracing;
}

/** Wraps the resolvers of root fields, and of fields that return objects, in spans. Call it only if requests may be traced. */
export function traceResolvers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isRoot = [schema.getQueryType(), schema.getMutationType()].includes(type);
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || resolve === defaultFieldResolver) continue;
      if (!isRoot && !isCompositeType(getNamedType(field.type))) continue;
      const name = `${type.name}.${field.name}`;
      field.resolve = (source, args, context: Traced, info) => {
        const work = () => resolve(source, args, context, info);
        const { tracing } = context;
        return tracing ? tracing.span(name, { 'graphql.field': name }, work) : work();
      };
    }
  }
}
