import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { buildSchema } from '../../src/graphql/schema.ts';
import { createRoutes, DocumentError } from '../../src/rest/index.ts';
import { manageServers, ROOT } from '../support/process.ts';

const schema = buildSchema();

interface BadDocument {
  /** What is wrong, for the title. */
  readonly title: string;
  /** In one file, or in several. */
  readonly documents: string | Readonly<Record<string, string>>;
  readonly message: string;
}

/** The file of a document that stands by itself. */
const FILE = 'v1/things.graphql';

const BAD_DOCUMENTS: readonly BadDocument[] = [
  {
    title: 'a syntax error',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me") {
        me { id
      }`,
    message: 'rest/v1/things.graphql:4: Syntax Error: Expected Name, found <EOF>.',
  },
  {
    title: 'nothing at all',
    documents: '',
    message: 'rest/v1/things.graphql:1: Syntax Error: Unexpected <EOF>.',
  },
  {
    title: 'a field that the schema has not',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me") {
        me {
          id
          nam
        }
      }`,
    message: 'rest/v1/things.graphql:5: Cannot query field "nam" on type "User". Did you mean "name"?',
  },
  {
    title: 'a fragment that nothing uses',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me") { me { id } }
      fragment Me on User { id }`,
    message: 'rest/v1/things.graphql:3: Fragment "Me" is never used.',
  },
  {
    title: 'a fragment that contains itself',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me") { me { ...Me } }
      fragment Me on User { id orders { user { ...Me } } }`,
    message: 'rest/v1/things.graphql:3: Cannot spread fragment "Me" within itself.',
  },
  {
    title: 'a definition that belongs into schema/',
    documents: 'type Thing { id: ID! }',
    message: 'rest/v1/things.graphql:1: The "Thing" definition is not executable.',
  },
  {
    title: 'no @rest',
    documents: `
      query GetMe {
        me { id }
      }`,
    message: 'rest/v1/things.graphql:2: GetMe is not a route yet: add @rest(method: …, path: "…").',
  },
  {
    title: 'no name',
    documents: 'query @rest(method: GET, path: "/v1/me") { me { id } }',
    message: 'rest/v1/things.graphql:1: Give the operation a name: it becomes its id in OpenAPI.',
  },
  {
    title: 'a name that another file has given already',
    documents: {
      'v1/things.graphql': 'query GetThing @rest(method: GET, path: "/v1/me") { me { id } }',
      'v2/things.graphql': '\nquery GetThing @rest(method: GET, path: "/v2/me") { me { id name } }',
    },
    message:
      'rest/v2/things.graphql:2: GetThing is the name of an operation in rest/v1/things.graphql:1 already. It is its id in OpenAPI.',
  },
  {
    title: 'a subscription',
    documents: 'subscription Follow @rest(method: GET, path: "/v1/me") { me { id } }',
    message: 'rest/v1/things.graphql:1: Directive "@rest" may not be used on SUBSCRIPTION.',
  },
  {
    title: 'a query that is not a GET',
    documents: 'query GetMe @rest(method: POST, path: "/v1/me") { me { id } }',
    message:
      'rest/v1/things.graphql:1: GetMe is a query, and POST would promise a change. Make it a mutation or use GET.',
  },
  {
    title: 'a mutation that is a GET',
    documents: 'mutation Drop($id: ID!) @rest(method: GET, path: "/v1/orders/{id}") { deleteOrder(id: $id) }',
    message:
      'rest/v1/things.graphql:1: Drop is a mutation, and a GET must change nothing. Use POST, PUT, PATCH or DELETE.',
  },
  {
    title: 'a method that does not exist',
    documents: 'query GetMe @rest(method: FETCH, path: "/v1/me") { me { id } }',
    message:
      'rest/v1/things.graphql:1: Value "FETCH" does not exist in "HttpMethod" enum. Did you mean the enum value "PATCH" or "GET"?',
  },
  {
    title: 'two root fields',
    documents: `
      query GetBoth @rest(method: GET, path: "/v1/both") {
        me { id }
        product(id: 1) { id }
      }`,
    message:
      'rest/v1/things.graphql:4: GetBoth selects more than one root field, and a route answers with the value of one. Split it into two routes.',
  },
  {
    title: 'a root field in a fragment',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me") {
        ...Root
      }
      fragment Root on Query { me { id } }`,
    message: 'rest/v1/things.graphql:3: GetMe must select its root field directly, without a fragment.',
  },
  {
    title: 'introspection',
    documents: 'query GetMe @rest(method: GET, path: "/v1/me") { __typename }',
    message: 'rest/v1/things.graphql:1: A route cannot answer with __typename.',
  },
  {
    title: 'introspection further down',
    documents: 'query GetMe @rest(method: GET, path: "/v1/me") { me { __typename } }',
    message: 'rest/v1/things.graphql:1: A route cannot select __typename.',
  },
  {
    title: 'an answer that is not always of one shape',
    documents: `
      query GetMe($brief: Boolean!) @rest(method: GET, path: "/v1/me") {
        me {
          id
          name @skip(if: $brief)
        }
      }`,
    message: 'rest/v1/things.graphql:5: @skip has no place here: a route answers with one shape.',
  },
  {
    title: 'a path without its slash',
    documents: 'query GetMe @rest(method: GET, path: "v1/me") { me { id } }',
    message: 'rest/v1/things.graphql:1: "v1/me" is not a path such as "/v1/orders/{order_id}".',
  },
  {
    title: 'a path with a slash too many',
    documents: 'query GetMe @rest(method: GET, path: "/v1/me/") { me { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/me/" is not a path such as "/v1/orders/{order_id}".',
  },
  {
    title: 'a path with a variable that is only a part of a segment',
    documents: 'query GetUser($id: ID!) @rest(method: GET, path: "/v1/u{id}") { user(id: $id) { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/u{id}" is not a path such as "/v1/orders/{order_id}".',
  },
  {
    title: 'a path that has a variable twice',
    documents: 'query GetUser($id: ID!) @rest(method: GET, path: "/v1/{id}/u/{id}") { user(id: $id) { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/{id}/u/{id}" has {id} twice.',
  },
  {
    title: 'a path that depends on the request',
    documents: 'query GetMe($path: String!) @rest(method: GET, path: $path) { me { id } }',
    message: 'rest/v1/things.graphql:1: A route is the same for every request: @rest takes no variables.',
  },
  {
    title: 'a variable in the path that the operation has not',
    documents: 'query GetMe @rest(method: GET, path: "/v1/users/{user_id}") { me { id } }',
    message:
      'rest/v1/things.graphql:1: The path has {user_id}, but the operation has no variable $user_id. Declare it, or take it out of the path.',
  },
  {
    title: 'a variable in the path that may be left out',
    documents: `
      query GetOrders(
        $user_id: ID = 1
      ) @rest(method: GET, path: "/v1/users/{user_id}/all") { orders(userId: $user_id) { nodes { id } } }`,
    message:
      'rest/v1/things.graphql:3: $user_id stands in the path, so it is always there: give it a type that ends in "!".',
  },
  {
    title: 'a variable that nothing uses',
    documents: 'query GetMe($page: Int) @rest(method: GET, path: "/v1/me") { me { id } }',
    message: 'rest/v1/things.graphql:1: Variable "$page" is never used in operation "GetMe".',
  },
  {
    title: 'a variable inside an object that may be left out',
    documents: `
      mutation Rename($id: ID!, $name: String) @rest(method: PATCH, path: "/v1/names/{id}") {
        updateUser(id: $id, input: { name: $name }) { id }
      }`,
    message:
      'rest/v1/things.graphql:3: $name may be left out, which cannot be told from null inside an object. Bind the object with @body.',
  },
  {
    title: '@body beside another member of the body',
    documents: `
      mutation Rename($id: ID!, $changes: UpdateUserInput! @body, $versions: [Int!])
      @rest(method: PATCH, path: "/v1/names/{id}") {
        updateUser(id: $id, input: $changes, ifVersion: $versions) { id }
      }`,
    message: 'rest/v1/things.graphql:2: @body takes the whole body, and nothing is left for $versions.',
  },
  {
    title: '@body twice',
    documents: `
      mutation Rename($id: ID!, $changes: UpdateUserInput! @body, $versions: [Int!] @body)
      @rest(method: PATCH, path: "/v1/names/{id}") {
        updateUser(id: $id, input: $changes, ifVersion: $versions) { id }
      }`,
    message: 'rest/v1/things.graphql:2: @body takes the whole body, and nothing is left for $versions.',
  },
  {
    title: '@body of a method that has none',
    documents: 'query GetUser($id: ID! @body) @rest(method: GET, path: "/v1/me") { user(id: $id) { id } }',
    message: 'rest/v1/things.graphql:1: $id cannot be the body: this method has none.',
  },
  {
    title: '@body on a variable of the path',
    documents: `
      mutation Rename($id: ID! @body, $name: String!) @rest(method: PATCH, path: "/v1/names/{id}") {
        updateUser(id: $id, input: { name: $name }) { id }
      }`,
    message: 'rest/v1/things.graphql:2: $id stands in the path, so it cannot be the body as well.',
  },
  {
    title: '@ifMatch on a variable that is no list of versions',
    documents: `
      mutation Rename($id: ID!, $name: String! @ifMatch) @rest(method: PATCH, path: "/v1/names/{id}") {
        updateUser(id: $id, input: { name: $name }) { id }
      }`,
    message:
      'rest/v1/things.graphql:2: @ifMatch gives a list of versions, or nothing: declare $name as [Int!].',
  },
  {
    title: '@ifMatch on a variable that must be there',
    documents: `
      mutation Drop($id: ID!, $versions: [Int!]! @ifMatch)
      @rest(method: DELETE, path: "/v1/drops/{id}", status: 204) {
        deleteOrder(id: $id, ifVersion: $versions)
      }`,
    message:
      'rest/v1/things.graphql:2: @ifMatch gives a list of versions, or nothing: declare $versions as [Int!].',
  },
  {
    title: '@etag on something else than a version',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me") {
        me {
          id
          email @etag
        }
      }`,
    message: 'rest/v1/things.graphql:5: @etag is made of a version, which is an Int.',
  },
  {
    title: '@pageLink inside of a list',
    documents: `
      query GetOrders($page: Int) @rest(method: GET, path: "/v1/mine") {
        orders(userId: 1, page: $page) {
          nodes { id next: version @pageLink(parameter: "page") }
        }
      }`,
    message: 'rest/v1/things.graphql:4: @pageLink belongs to a page, not to the elements of a list.',
  },
  {
    title: '@pageLink on something else than a page number',
    documents: `
      query GetOrders($page: Int) @rest(method: GET, path: "/v1/mine") {
        orders(userId: 1, page: $page) {
          pageInfo @pageLink(parameter: "page") { nextPage }
        }
      }`,
    message: 'rest/v1/things.graphql:4: @pageLink makes a link of a page number, which is an Int.',
  },
  {
    title: '@pageLink to a parameter that the route has not',
    documents: `
      query GetOrders($page: Int) @rest(method: GET, path: "/v1/mine") {
        orders(userId: 1, page: $page) {
          pageInfo { next: nextPage @pageLink(parameter: "pgae") }
        }
      }`,
    message: 'rest/v1/things.graphql:4: @pageLink leads to the parameter "pgae", which this route has not.',
  },
  {
    title: 'a status that is not one of success',
    documents: 'query GetMe @rest(method: GET, path: "/v1/me", status: 404) { me { id } }',
    message: 'rest/v1/things.graphql:1: 404 is not a status of success.',
  },
  {
    title: 'a location with a member that the body has not',
    documents: `
      mutation Add($items: [OrderItemInput!]!)
      @rest(method: POST, path: "/v1/adds", status: 201, location: "/v1/orders/{order_id}") {
        createOrder(input: { userId: 1, items: $items }) { id }
      }`,
    message:
      'rest/v1/things.graphql:2: The location has {order_id}, which is neither a variable of the path nor a number or text that the body always has.',
  },
  {
    title: 'a location with a member that is no number or text',
    documents: `
      mutation Add($items: [OrderItemInput!]!)
      @rest(method: POST, path: "/v1/adds", status: 201, location: "/v1/orders/{user}") {
        createOrder(input: { userId: 1, items: $items }) { id user { id } }
      }`,
    message:
      'rest/v1/things.graphql:2: The location has {user}, which is neither a variable of the path nor a number or text that the body always has.',
  },
  {
    title: 'a location that is no path',
    documents: `
      mutation Add($items: [OrderItemInput!]!)
      @rest(method: POST, path: "/v1/adds", status: 201, location: "over there") {
        createOrder(input: { userId: 1, items: $items }) { id }
      }`,
    message: 'rest/v1/things.graphql:3: "over there" is not a path such as "/v1/orders/{order_id}".',
  },
  {
    title: 'a location without a body to take it from',
    documents: `
      mutation Add($items: [OrderItemInput!]!)
      @rest(method: POST, path: "/v1/adds", status: 204, location: "/v1/orders/{id}") {
        createOrder(input: { userId: 1, items: $items }) { id }
      }`,
    message: 'rest/v1/things.graphql:2: A 204 has no body to take the location from.',
  },
  {
    title: 'a route that is there already',
    documents: {
      'v1/people.graphql':
        'query GetPerson($id: ID!) @rest(method: GET, path: "/v1/people/{id}") { user(id: $id) { id } }',
      'v1/things.graphql':
        '\nquery GetThing($id: ID!) @rest(method: GET, path: "/v1/people/{id}") { user(id: $id) { id } }',
    },
    message:
      'rest/v1/things.graphql:2: GET /v1/people/{id} is already the route of GetPerson. Each needs a path of its own.',
  },
  {
    title: 'a route that is there already, with another name for its variable',
    documents: `
      query GetPerson($id: ID!) @rest(method: GET, path: "/v1/people/{id}") { user(id: $id) { id } }
      query GetThing($thing: ID!) @rest(method: GET, path: "/v1/people/{thing}") { user(id: $thing) { id } }`,
    message:
      'rest/v1/things.graphql:3: GET /v1/people/{thing} is already the route of GetPerson. Each needs a path of its own.',
  },
  {
    title: 'another method of a path, with another name for its variable',
    documents: `
      query GetOne($id: ID!) @rest(method: GET, path: "/v1/ones/{id}") { order(id: $id) { id } }
      mutation DropOne($one: ID!) @rest(method: DELETE, path: "/v1/ones/{one}", status: 204) { deleteOrder(id: $one) }`,
    message:
      'rest/v1/things.graphql:3: DELETE /v1/ones/{one} is the path /v1/ones/{id} of GetOne with other variables. Name them alike.',
  },
  {
    title: 'a former path that lacks a variable',
    documents:
      'query GetOne($id: ID!) @rest(method: GET, path: "/v1/ones/{id}", movedFrom: ["/v1/one"]) { order(id: $id) { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/one" lacks {id}, so it cannot lead to /v1/ones/{id}.',
  },
  {
    title: 'a former path that is no path',
    documents: 'query GetMe @rest(method: GET, path: "/v1/me", movedFrom: ["/v1/self?all"]) { me { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/self?all" is not a path such as "/v1/orders/{order_id}".',
  },
  {
    title: 'a former path that is the path of another route',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me") { me { id } }
      query GetSelf @rest(method: GET, path: "/v1/self", movedFrom: ["/v1/me"]) { me { id } }`,
    message: 'rest/v1/things.graphql:3: "/v1/me" cannot lead to /v1/self: GetMe has it.',
  },
  {
    title: 'a former path that is its own',
    documents: 'query GetMe @rest(method: GET, path: "/v1/me", movedFrom: ["/v1/me"]) { me { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/me" cannot lead to /v1/me: GetMe has it.',
  },
  {
    title: 'a former path of two routes',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me", movedFrom: ["/v1/i"]) { me { id } }
      query GetSelf @rest(method: GET, path: "/v1/self", movedFrom: ["/v1/i"]) { me { id } }`,
    message: 'rest/v1/things.graphql:3: "/v1/i" cannot lead to /v1/self: GetMe has it.',
  },
];

describe('a document stops the boot, and says where and why, that has', () => {
  let folder: string | undefined;
  afterEach(async () => {
    if (folder) await rm(folder, { recursive: true });
    folder = undefined;
  });

  test.each(BAD_DOCUMENTS)('$title', async ({ documents, message }) => {
    folder = await mkdtemp(join(tmpdir(), 'portico-documents-'));
    const rest = join(folder, 'rest');
    const files = typeof documents === 'string' ? { [FILE]: documents } : documents;
    for (const [name, text] of Object.entries(files)) await write(join(rest, name), text);
    const refusal = refusalOf(rest);
    expect(refusal).toBeInstanceOf(DocumentError);
    expect(String(refusal)).toBe(`DocumentError: ${message}`);
  });
});

describe('the server as a process', () => {
  const servers = manageServers();

  test.each([
    {
      title: 'a document that does not fit the schema',
      document: 'query GetThing @rest(method: GET, path: "/v1/things") {\n  thing { id }\n}',
      message: 'rest/v1/things.graphql:2: Cannot query field "thing" on type "Query".',
    },
    {
      title: 'a route on a path of its own',
      document: '\nquery GetHealth @rest(method: GET, path: "/healthz") { me { id } }',
      message: 'rest/v1/things.graphql:2: /healthz is a path of the server itself.',
    },
  ])('ends with the message alone, for $title', async ({ document, message }) => {
    const root = await copyOfTheTree();
    await write(join(root, 'rest', FILE), document);
    const server = await servers.launch({ root });
    expect(await server.ended()).toEqual({ code: 1, signal: null });
    expect(server.stderr).toBe(`Portico cannot start: ${message}\n`);
  });
});

function refusalOf(folder: string): unknown {
  try {
    return createRoutes(schema, folder);
  } catch (error) {
    return error;
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The source tree without this repository's tests and data, to be changed at will. */
async function copyOfTheTree(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'portico-tree-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const name of ['docs', 'package.json', 'resolvers', 'rest', 'schema', 'src']) {
    await cp(join(ROOT, name), join(root, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}
