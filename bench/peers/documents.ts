/** The GraphQL operations that are measured, word for word as clients send them. */

const ITEM = 'id productId name qty unitPrice thumbnailUrl';
const ORDER = `id userId status total currency items { ${ITEM} } createdAt updatedAt`;

export const ORDER_DOCUMENT = `query Order($id: ID!) { order(id: $id) { ${ORDER} } }`;

export const USER_DOCUMENT = `query User($id: ID!) { user(id: $id) { id name orders(last: 20) { ${ORDER} } } }`;

/** Orders of a person that {@link USER_DOCUMENT} asks for. */
export const USER_ORDERS = 20;
