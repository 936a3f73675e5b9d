/** The measured GraphQL operations, exactly as clients send them. */

const ITEM = 'id productId name qty unitPrice thumbnailUrl';
const ORDER = `id userId status total currency items { ${ITEM} } createdAt updatedAt`;

export const ORDER_DOCUMENT = `query Order($id: ID!) { order(id: $id) { ${ORDER} } }`;

export const USER_DOCUMENT = `query User($id: ID!) { user(id: $id) { id name orders(last: 20) { ${ORDER} } } }`;

/** The number of orders that {@link USER_DOCUMENT} selects. */
export const USER_ORDERS = 20;
