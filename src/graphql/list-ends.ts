/** Lists that are read from their start, unless the caller requests them from their end. */
import { type GraphQLResolveInfo, type GraphQLSchema, Kind } from 'graphql';
import { type Field, fieldsOfObjects } from './field.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Applies the default of `first` only without `last`. A resolver gets both only if the caller passed both, which it refuses.
 */
export function separateEnds(schema: GraphQLSchema): void {
  for (const [, field] of fieldsOfObjects(schema)) {
    const first = field.args.find(({ name }) => name === 'first');
    if (first?.defaultValue !== undefined && field.args.some(({ name }) => name === 'last')) separate(field);
  }
}

function separate(field: Field): void {
  const { resolve } = field;
  if (!resolve) return;
  field.resolve = (source, args: Arguments, context, info) => {
    if (args['last'] == null || isGiven('first', info)) return resolve(source, args, context, info);
    return resolve(source, { ...args, first: undefined }, context, info);
  };
}

/** Whether the caller passed the argument. Merged fields have the same arguments. */
function isGiven(argument: string, { fieldNodes: [node], variableValues }: GraphQLResolveInfo): boolean {
  const value = node?.arguments?.find(({ name }) => name.value === argument)?.value;
  return value?.kind === Kind.VARIABLE
    ? Object.hasOwn(variableValues, value.name.value)
    : value !== undefined;
}
