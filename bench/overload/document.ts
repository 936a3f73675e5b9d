/** Fields of a document, and how often it asks for them. */
const FIELDS = 'id name email role avatarUrl createdAt updatedAt';
const TIMES = 10;

/** A document that no one has sent before: much more work for the server, which cannot know it, than for its sender. */
export function documentOf(n: number): string {
  const asked = Array.from({ length: TIMES }, (_, field) => `u${field}: user(id: 1) { ${FIELDS} }`);
  return `query Unseen${n} { ${asked.join(' ')} }`;
}
