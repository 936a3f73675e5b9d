/** The fields of a document, and how many times it selects them. */
const FIELDS = 'id name email role avatarUrl createdAt updatedAt';
const TIMES = 10;

/** Returns a document that no client has sent before, so that the server must parse it: much more work for the server than for the client. */
export function documentOf(n: number): string {
  const fields = Array.from({ length: TIMES }, (_, field) => `u${field}: user(id: 1) { ${FIELDS} }`);
  return `query Unseen${n} { ${fields.join(' ')} }`;
}
