import {
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Field, possibleFields } from '../graphql/field.ts';
import { placesIn, setsBelow } from './expand.ts';

/** The path of an error: response names, and the positions of elements. */
export type Path = readonly (string | number)[];

/** Which values of a response may be null. */
export interface Nullability {
  /**
   * How many steps of a path lead to the value that becomes null when the field at its end fails: its nearest nullable
   * ancestor, or itself; 0 for `data`.
   */
  depthOf(path: Path): number;
}

/** @param operation expanded. It is looked through when there is a path to look at, which is rare. */
export function nullabilityOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Nullability {
  return {
    depthOf(path) {
      let depth = 0;
      let type: GraphQLOutputType | undefined;
      let owner: GraphQLNamedType | null | undefined = schema.getRootType(operation.operation);
      let sets: readonly SelectionSetNode[] = [operation.selectionSet];
      for (const [index, step] of path.entries()) {
        if (typeof step === 'number') {
          const list: GraphQLOutputType | undefined = type && getNullableType(type);
          type = isListType(list) ? list.ofType : undefined;
        } else {
          const place = placesIn(sets).find(({ name }) => name === step);
          const field: Field | undefined =
            place && possibleFields(schema, owner, place.nodes[0].name.value)[0];
          type = field?.type;
          owner = field && getNamedType(field.type);
          sets = place ? setsBelow(place) : [];
        }
        if (!isNonNullType(type)) depth = index + 1;
      }
      return depth;
    },
  };
}
