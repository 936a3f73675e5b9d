/** Every list by cursor of the schema, as something that can be asked for page by page. */
import { isNonNullType, isObjectType } from 'graphql';
import { GROWN } from './growing-data.ts';
import { schema } from './operations.ts';

export interface CursorList {
  /** `Query.feed`. */
  readonly name: string;
  /** A query for a page. `page` stands for the list in its response, and the variables are the arguments of Relay's specification. */
  document(selection: string): string;
  /** The page in such a response. */
  pageIn(data: unknown): unknown;
}

/** What lists are asked for with, of the demo and of the rows that `grow` makes. */
const ARGUMENTS: Readonly<Record<string, string>> = { org: '"acme"', webhookId: String(GROWN + 1) };

/** Where lists are whose type is no root: an object that has rows in them. */
const PARENTS: Readonly<Record<string, string>> = {
  Document: 'document(org: "acme", id: 1)',
  Order: 'order(id: 1)',
  Charge: `charge(id: ${GROWN + 1})`,
};

const VARIABLES: Readonly<Record<string, string>> = {
  first: 'Int',
  after: 'String',
  last: 'Int',
  before: 'String',
};

export const cursorLists: readonly CursorList[] = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter((type) => type !== schema.getSubscriptionType())
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
  .filter(({ field }) => field.args.some(({ name }) => name === 'after'))
  .map(({ type, field }): CursorList => {
    const name = `${type.name}.${field.name}`;
    const isRoot = type === schema.getQueryType();
    const parent = PARENTS[type.name];
    if (!isRoot && !parent) throw new Error(`Teach this file where to find a ${type.name} for ${name}.`);
    const required = field.args.filter((argument) => isNonNullType(argument.type));
    const taken = field.args
      .filter((argument) => argument.name in VARIABLES)
      .map((argument) => argument.name);
    const given = [
      ...required.map((argument) => `${argument.name}: ${ARGUMENTS[argument.name]}`),
      ...taken.map((argument) => `${argument}: $${argument}`),
    ].join(', ');
    const declared = taken.map((argument) => `$${argument}: ${VARIABLES[argument]}`).join(', ');
    return {
      name,
      document(selection) {
        const list = `page: ${field.name}(${given}) { ${selection} }`;
        return `query (${declared}) { ${isRoot ? list : `parent: ${parent} { ${list} }`} }`;
      },
      pageIn(data) {
        // The aliases of the document.
        const { page, parent: found } = data as { page?: unknown; parent?: { page?: unknown } };
        return isRoot ? page : found?.page;
      },
    };
  });
