/** JSON with the members to change (RFC 7396): `null` removes a member, and omitted ones stay. Every PATCH works like this. */
export const MERGE_PATCH = 'application/merge-patch+json';

/** Returns the media types of bodies that routes accept with this method. */
export const bodyTypesOf = (method: string): readonly string[] =>
  method === 'PATCH' ? ['application/json', MERGE_PATCH] : ['application/json'];
