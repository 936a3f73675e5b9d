import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
} from 'graphql';
import { possibleFields } from '../graphql/field.ts';
import { placesIn, setsBelow, setsOf } from './places.ts';

/** The path of an error: response names, and indexes of list elements. */
export type Path = readonly (string | number)[];

/** Which values of a response may be null. */
export interface Nullability {
  /**
   * The number of steps of a path that lead to the value that becomes null if the field at its end fails: the field itself or its
   * nearest nullable ancestor; 0 for `data`.
   */
  depthOf(path: Path): number;
}

/** @param operation expanded. It is only traversed for the path of an error, which is rare. */
export function nullabilityOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Nullability {
  return {
    depthOf(path) {
      let depth = 0;
      let type: GraphQLOutputType | undefined;
      let sets = setsOf(schema, operation);
      for (const [index, step] of path.entries()) {
        if (typeof step === 'number') {
          const list: GraphQLOutputType | undefined = type && getNullableType(type);
          type = isListType(list) ? list.ofType : undefined;
        } else {
          const place = placesIn(schema, sets).find(({ name }) => name === step);
          // Fields that share a place have the same nullability.
          const [field] = place?.fields ?? [];
          type = field && possibleFields(schema, field.type, field.node.name.value)[0]?.type;
          sets = place ? setsBelow(place) : [];
        }
        if (!isNonNullType(type)) depth = index + 1;
      }
      return depth;
    },
  };
}
