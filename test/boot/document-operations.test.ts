/** The operation of a route: one named query or mutation of the schema, with one root field. */
import { refusesAtBoot } from './refused-documents.ts';

refusesAtBoot([
  {
    title: 'a syntax error',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me") {
        me { id
      }`,
    message: 'rest/v1/things.graphql:4: Syntax Error: Expected Name, found <EOF>.',
  },
  {
    title: 'an empty document',
    documents: '',
    message: 'rest/v1/things.graphql:1: Syntax Error: Unexpected <EOF>.',
  },
  {
    title: 'an unknown field',
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
    title: 'an unused fragment',
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
    title: 'a definition of a type',
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
    title: 'a name of an operation in another file',
    documents: {
      'v1/things.graphql': 'query GetThing @rest(method: GET, path: "/v1/me") { me { id } }',
      'v2/things.graphql': '\nquery GetThing @rest(method: GET, path: "/v2/me") { me { id name } }',
    },
    message:
      'rest/v2/things.graphql:2: GetThing is already the name of an operation in rest/v1/things.graphql:1. Names are ids in OpenAPI, so they must be unique.',
  },
  {
    title: 'the name of an operation of the server itself',
    documents: '\nquery ServerHealth @rest(method: GET, path: "/v1/health") { me { id } }',
    message:
      'rest/v1/things.graphql:2: ServerHealth, its id in OpenAPI, is already the id of an operation of the server itself. Rename one of them.',
  },
  {
    title: "the name of another operation's route under /v2",
    documents: {
      'v1/things.graphql': '\nquery GetThing @rest(method: GET, path: "/v1/things") { me { id } }',
      'v2/others.graphql': 'query GetThingV2 @rest(method: GET, path: "/v2/others") { me { id } }',
    },
    message:
      'rest/v1/things.graphql:2: GetThingV2, its id in OpenAPI, is already the id of the operation in rest/v2/others.graphql:1. Rename one of them.',
  },
  {
    title: "the name of another operation's former path",
    documents: `
      query GetThing @rest(method: GET, path: "/v2/things", movedFrom: ["/v2/thing"]) { me { id } }
      query GetThingFormerly @rest(method: GET, path: "/v2/others") { me { id } }`,
    message:
      'rest/v1/things.graphql:3: GetThingFormerly, its id in OpenAPI, is already the id of the operation in rest/v1/things.graphql:2. Rename one of them.',
  },
  {
    title: 'one type selected in three ways',
    documents: `
      query GetAll @rest(method: GET, path: "/v2/all") {
        me { id documents { author { name author: id } } orders { user { org } } }
      }`,
    message:
      'rest/v1/things.graphql:2: GetAll selects User in several shapes, and each needs a name in OpenAPI. Make each of them a fragment.',
  },
  {
    title: 'a subscription',
    documents: 'subscription Follow @rest(method: GET, path: "/v1/me") { me { id } }',
    message: 'rest/v1/things.graphql:1: Cannot query field "me" on type "Subscription".',
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
      'rest/v1/things.graphql:4: GetBoth selects more than one root field, but a route returns the value of one. Split it into two routes.',
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
    message: 'rest/v1/things.graphql:1: A route cannot return __typename.',
  },
  {
    title: 'introspection further down',
    documents: 'query GetMe @rest(method: GET, path: "/v1/me") { me { __typename } }',
    message: 'rest/v1/things.graphql:1: A route cannot select __typename.',
  },
  {
    title: 'a response without a fixed shape',
    documents: `
      query GetMe($brief: Boolean!) @rest(method: GET, path: "/v1/me") {
        me {
          id
          name @skip(if: $brief)
        }
      }`,
    message: 'rest/v1/things.graphql:5: @skip is not allowed: the response of a route has one shape.',
  },
  {
    title: 'a price above the maximum, even for one row and with required variables',
    documents: `
      query ListCostly($user_id: ID!, $limit: Int) @rest(method: GET, path: "/v1/users/{user_id}/costly") {
        orders(userId: $user_id, limit: $limit) {
          data: nodes {
            charges(first: 100) {
              refunds(first: 100) { id }
            }
          }
        }
      }`,
    message:
      'rest/v1/things.graphql:2: The operation costs up to 10102 points; the maximum is 1000. Ask for shorter lists.',
  },
]);
