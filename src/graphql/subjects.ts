/**
 * The types of subjects, one for each kind in the catalogue of events. Two subjects of different kinds may have the same id, so
 * each kind needs its own type: client caches identify objects by `__typename` and `id`.
 */
import { type DocumentNode, parse } from 'graphql';
import { EVENT_TYPES, subjectTypeOf } from '../events/catalogue.ts';

/** Returns the name of the type of a kind: `ApiKeySubject` for `api_key`. */
const typeNameOf = (kind: string): string =>
  `${kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Subject`;

/** The implementations of the interface `Subject` of activity.graphql. */
export function readSubjectTypes(): DocumentNode {
  const kinds = [...new Set(EVENT_TYPES.map(subjectTypeOf))];
  return parse(
    kinds
      .map(
        (kind) => `
"The subject of the events \`${kind}.*\`."
type ${typeNameOf(kind)} implements Subject {
  "The kind: \`${kind}\`."
  type: String! @example(value: "${kind}")
  "Identifier within its kind."
  id: ID!
}`,
      )
      .join('\n'),
  );
}

export const subjectResolvers = {
  Subject: { __resolveType: ({ type }: { readonly type: string }) => typeNameOf(type) },
};
