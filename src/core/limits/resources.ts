/** Pages, orders, documents and apps. */

export const RESOURCES = {
  /** Rows of a page when the client names no size. */
  pageDefault: 20,
  /** Rows of a page at most. A larger size is capped to this, so that no request asks for unbounded rows. */
  pageMax: 100,
  /**
   * Rows that a page by number may skip. Each is passed in an index, some 0.1 us on SQLite and 0.2 us on PostgreSQL; a page
   * deeper than this is refused with `page_too_deep`.
   */
  pageDepth: 10_000,
  /** Items of one order at most, so that an order and all its items fit one page. */
  orderItems: 100,
  /** Pieces of one item at most. With the two bounds above and below, a total stays within 15 digits. */
  itemQuantity: 10_000,
  /** Minor units of a unit price at most: 15 digits is what a JSON number carries exactly everywhere. */
  unitPrice: 999_999_999,
  /** Characters of a product's name: a line. */
  productNameLength: 200,
  /** Lines of one file of products: one transaction, which on SQLite other writers wait for, some 2 s. */
  importedProducts: 100_000,
  /** Rows of one statement of an import: few enough for SQLite's 32,766 parameters, many enough to spare round trips. */
  importChunk: 500,
  /** Bytes of such a file, which is read as a whole. */
  importedBytes: 32 * 1024 * 1024,
  /** Characters of a document's title: a line. Like every bound on text it counts UTF-16 units, as JavaScript does. */
  documentTitleLength: 200,
  /**
   * Characters of a document's text, some 40 pages. One of them takes 1 byte of a request in English and up to 3 in
   * scripts such as Chinese, so there `bodyBytes` comes first, with 413 after some 87,000 characters; JSON's escapes,
   * such as the 2 bytes of a line break, come on top.
   */
  documentBodyLength: 100_000,
  /** Apps of one organisation: a company with an app for each of its products, many times over. */
  apps: 100,
  /** Apps that are installed in one organisation, its own among them: each is a member. */
  installations: 200,
  /** Addresses to which an app may send people back: each of its stages and regions. */
  redirectUris: 20,
  /** Characters of one such address. */
  redirectUriLength: 500,
  /** Secrets of an app that are valid together: the one in use and the one that replaces it. */
  appSecrets: 2,
  /** Public keys that an app signs its assertions with: two during a rotation, on a few machines. */
  appKeys: 10,
  /** Characters of all these keys together as JSON: ten of 4096 bits with RSA. */
  appKeysLength: 10_000,
  /** Grants of one person to apps, so that they fit few pages. */
  grantsPerPerson: 500,
  /** People a document is shared with at most, so that they fit one page. Beyond, `internal` is what is meant. */
  documentShares: 100,
} as const;
