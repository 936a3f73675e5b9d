/** All lists of the schema that are paged by cursor, with queries for their pages. */
import { isNonNullType, isObjectType } from 'graphql';
import { schema } from './api.ts';
import type { TestApp } from './app.ts';
import type { TestEngine } from './engines.ts';
import { login } from './fixtures/members.ts';
import { manyRows } from './fixtures/rows.ts';
import { GROWN, grow } from './fixtures/table-rows.ts';

export interface CursorList {
  /** `Query.feed`. */
  readonly name: string;
  readonly type: string;
  readonly field: string;
  /** The root field that returns an object with rows in the list; undefined for `Query`. */
  readonly parent: string | undefined;
  /** The required arguments of the list with their values, such as `org: "acme"`. */
  readonly given: readonly string[];
  /** Returns a query for a page. The alias of the list is `page`, and the variables are the arguments of Relay's specification. */
  document(selection: string): string;
  /** Returns the page from the data of a response. */
  pageIn(data: unknown): unknown;
}

/** The values of required arguments, which refer to the demo data and to the rows that `grow` creates. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  org: '"acme"',
  webhookId: String(GROWN + 1),
  chargeId: String(GROWN + 1),
};

/** By type: the root field that returns an object with rows in its lists. */
const PARENTS: Readonly<Record<string, string>> = {
  Document: 'document(org: "acme", id: 1)',
  Order: 'order(id: 1)',
  Charge: `charge(id: ${GROWN + 1})`,
};

/** The arguments of Relay's specification. */
export const PAGE_ARGUMENTS: Readonly<Record<string, string>> = {
  first: 'Int',
  after: 'String',
  last: 'Int',
  before: 'String',
};

/** Each of them with the variable of the same name. */
export const PASSED_ON = Object.keys(PAGE_ARGUMENTS).map((name) => `${name}: $${name}`);

export const cursorLists: readonly CursorList[] = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter((type) => type !== schema.getSubscriptionType())
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
  .filter(({ field }) => field.args.some(({ name }) => name === 'after'))
  .map(({ type, field }): CursorList => {
    const name = `${type.name}.${field.name}`;
    const isRoot = type === schema.getQueryType();
    const parent = isRoot ? undefined : PARENTS[type.name];
    if (!isRoot && !parent) throw new Error(`Add a root field for ${type.name} to PARENTS, for ${name}.`);
    const given = field.args
      .filter((argument) => isNonNullType(argument.type))
      .map((argument) => `${argument.name}: ${ARGUMENTS[argument.name]}`);
    return {
      name,
      type: type.name,
      field: field.name,
      parent,
      given,
      document(selection) {
        const list = `page: ${field.name}(${[...given, ...PASSED_ON].join(', ')}) { ${selection} }`;
        const variables = Object.entries(PAGE_ARGUMENTS).map(([argument, of]) => `$${argument}: ${of}`);
        return `query (${variables.join(', ')}) { ${parent ? `parent: ${parent} { ${list} }` : list} }`;
      },
      pageIn(data) {
        // The aliases of the document.
        const { page, parent: found } = data as { page?: unknown; parent?: { page?: unknown } };
        return isRoot ? page : found?.page;
      },
    };
  });

/** Adds rows to every list, more than four pages of three. */
export async function fillLists(app: TestApp, engine: TestEngine): Promise<void> {
  await grow(engine, 0, 60);
  const { now } = manyRows(engine);
  for (const [type, subject] of [
    ['order.updated', 1],
    ['charge.refunded', GROWN + 1],
    ['document.updated', 1],
  ] as const) {
    const row = `('acme', '${type}', 1, '${type.split('.')[0]}', ${subject}, '{}', ${now})`;
    await engine.place.query(`insert into events (org, type, actor_id, subject_type, subject_id, data, created_at)
      values ${Array.from({ length: 12 }, () => row).join(', ')}`);
  }
  for (let n = 0; n < 4; n += 1) await login(app);
}
