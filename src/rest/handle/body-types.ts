/** JSON with the members that change (RFC 7396): `null` takes one away, and what is left out stays. Every PATCH is that. */
export const MERGE_PATCH = 'application/merge-patch+json';

/** The media types of the bodies that the routes with a method take. */
export const bodyTypesOf = (method: string): readonly string[] =>
  method === 'PATCH' ? ['application/json', MERGE_PATCH] : ['application/json'];
