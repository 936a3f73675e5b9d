/** Lists that are read from their start unless a caller asks for their end. */
import { type GraphQLResolveInfo, type GraphQLSchema, isObjectType, Kind } from 'graphql';
import type { Field } from './field.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Makes the default of `first` count only without `last`: a resolver gets both where a caller gave both, which it refuses.
 */
export function separateEnds(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const first = field.args.find(({ name }) => name === 'first');
      if (first?.defaultValue !== undefined && field.args.some(({ name }) => name === 'last'))
        separate(field);
    }
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

/** Whether a caller gave the argument. Fields that are merged into one have the same arguments. */
function isGiven(argument: string, { fieldNodes: [node], variableValues }: GraphQLResolveInfo): boolean {
  const value = node?.arguments?.find(({ name }) => name.value === argument)?.value;
  return value?.kind === Kind.VARIABLE
    ? Object.hasOwn(variableValues, value.name.value)
    : value !== undefined;
}
