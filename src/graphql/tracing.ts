import {
  defaultFieldResolver,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql';
import type { Tracing } from '../observability/tracing.ts';

/** What is traced runs with the tracing of its server, where there is one. */
interface Traced {
  readonly tracing?: Tracing;
}

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
      field.resolve = (source, args, context: Traced, info) => {
        const work = () => resolve(source, args, context, info);
        const { tracing } = context;
        return tracing ? tracing.span(name, { 'graphql.field': name }, work) : work();
      };
    }
  }
}
