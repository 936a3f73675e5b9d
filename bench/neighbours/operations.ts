/** The operations that viewers of the large organisation send: one for each kind of expensive field, as large as the server admits. */
import { BUYER, CHARGED_ORDERS, FIRST, LARGE, type Sizes, VIEWERS } from './rows.ts';

export interface Expensive {
  readonly name: string;
  /** The maximum number of uses of the root field: many if each use scans many rows, few if its list is long. */
  readonly uses: number;
  /**
   * One use of a root field, without an alias.
   *
   * @param size the page size.
   * @param use the index of this use, from 0.
   */
  field(size: number, use: number): string;
}

/** The maximum number of root fields in an operation. */
const MANY = 20;

export function expensiveOperations({ orders }: Sizes): readonly Expensive[] {
  const deepest = (size: number, use: number) => Math.max(1, Math.floor(orders / 2 / size) - use);
  return [
    { name: 'unread notifications', uses: MANY, field: () => 'me { unreadNotifications }' },
    {
      name: 'feed behind hidden events',
      uses: MANY,
      field: (size) => `feed(first: ${size}) { nodes { id type data createdAt } }`,
    },
    {
      name: 'feed of types without a match',
      uses: MANY,
      field: (size) =>
        `feed(first: ${size}, types: ["document.updated", "document.deleted", "charge.failed"]) { nodes { id data } }`,
    },
    {
      name: 'orders, last pages',
      uses: MANY,
      field: (size, use) =>
        `orders(userId: ${BUYER}, page: ${deepest(size, use)}, limit: ${size}, sort: total) { nodes { id total createdAt } pageInfo { total } }`,
    },
    {
      name: 'orders of one status, last pages',
      uses: MANY,
      field: (size, use) =>
        `orders(userId: ${BUYER}, status: pending, page: ${Math.ceil(deepest(size, use) / 3)}, limit: ${size}) { nodes { id status } pageInfo { total } }`,
    },
    {
      name: 'orders with nested lists',
      uses: 10,
      field: (size, use) =>
        `orders(userId: ${BUYER}, page: ${1 + use}, limit: ${size}) { nodes { id user { name } items(first: 3) { name unitPrice product { name } } again: items(last: 3) { name product { name createdAt } } } }`,
    },
    {
      name: 'people with nested lists',
      uses: 2,
      field: (size) =>
        `members(org: "${LARGE}", first: ${size}) { nodes { name orders(last: 2) { id items(first: 2) { name } } documents(last: 1) { title } } }`,
    },
    {
      name: 'documents, long bodies',
      uses: 5,
      field: (size) =>
        `documents(org: "${LARGE}", classification: public, first: ${size}) { nodes { id title body author { name } } }`,
    },
    {
      name: 'hidden documents',
      uses: MANY,
      field: (size) =>
        `documents(org: "${LARGE}", classification: confidential, first: ${size}) { nodes { id title } }`,
    },
    {
      name: 'documents of authors',
      uses: 10,
      field: (size, use) => `user(id: ${FIRST + VIEWERS + use}) { documents(last: ${size}) { id title } }`,
    },
    {
      name: 'document histories',
      uses: 2,
      field: (size) =>
        `documents(org: "${LARGE}", classification: public, first: ${size}) { nodes { id history(first: 4) { nodes { id actor { name } data } } } }`,
    },
    {
      name: 'charges with orders',
      uses: 2,
      field: (size) =>
        `charges(first: ${size}) { nodes { id amount { value } order { total paid items(first: 3) { name } charges(first: 2) { id } } } }`,
    },
    {
      name: 'orders with many charges',
      uses: CHARGED_ORDERS,
      field: (size, use) =>
        `order(id: ${FIRST + use}) { paid charges(first: ${size}) { id amount { value } } }`,
    },
  ];
}
