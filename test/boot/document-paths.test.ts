/** The path of a route: its syntax, its variables, and that it is unique. */
import { refusesAtBoot } from './refused-documents.ts';

refusesAtBoot([
  {
    title: 'a path without a leading slash',
    documents: 'query GetMe @rest(method: GET, path: "v1/me") { me { id } }',
    message: 'rest/v1/things.graphql:1: "v1/me" is not a path such as "/v1/orders/{order_id}".',
  },
  {
    title: 'a path with a trailing slash',
    documents: 'query GetMe @rest(method: GET, path: "/v1/me/") { me { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/me/" is not a path such as "/v1/orders/{order_id}".',
  },
  {
    title: 'a path with a variable that is only part of a segment',
    documents: 'query GetUser($id: ID!) @rest(method: GET, path: "/v1/u{id}") { user(id: $id) { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/u{id}" is not a path such as "/v1/orders/{order_id}".',
  },
  {
    title: 'a path with a duplicate variable',
    documents: 'query GetUser($id: ID!) @rest(method: GET, path: "/v1/{id}/u/{id}") { user(id: $id) { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/{id}/u/{id}" has {id} twice.',
  },
  {
    title: 'a path that depends on the request',
    documents: 'query GetMe($path: String!) @rest(method: GET, path: $path) { me { id } }',
    message: 'rest/v1/things.graphql:1: A route is the same for every request: @rest takes no variables.',
  },
  {
    title: 'a variable in the path that the operation does not have',
    documents: 'query GetMe @rest(method: GET, path: "/v1/users/{user_id}") { me { id } }',
    message:
      'rest/v1/things.graphql:1: The path has {user_id}, but the operation has no variable $user_id. Declare it, or remove it from the path.',
  },
  {
    title: 'an optional variable in the path',
    documents: `
      query GetOrders(
        $user_id: ID = 1
      ) @rest(method: GET, path: "/v1/users/{user_id}/all") { orders(userId: $user_id) { nodes { id } } }`,
    message:
      'rest/v1/things.graphql:3: $user_id is in the path, so it always has a value: give it a type that ends in "!".',
  },
  {
    title: 'a duplicate route',
    documents: {
      'v1/people.graphql':
        'query GetPerson($id: ID!) @rest(method: GET, path: "/v1/people/{id}") { user(id: $id) { id } }',
      'v1/things.graphql':
        '\nquery GetThing($id: ID!) @rest(method: GET, path: "/v1/people/{id}") { user(id: $id) { id } }',
    },
    message:
      'rest/v1/things.graphql:2: GET /v1/people/{id} is already the route of GetPerson. Each route needs its own path.',
  },
  {
    title: 'a duplicate route with another variable name',
    documents: `
      query GetPerson($id: ID!) @rest(method: GET, path: "/v1/people/{id}") { user(id: $id) { id } }
      query GetThing($thing: ID!) @rest(method: GET, path: "/v1/people/{thing}") { user(id: $thing) { id } }`,
    message:
      'rest/v1/things.graphql:3: GET /v1/people/{thing} is already the route of GetPerson. Each route needs its own path.',
  },
  {
    title: 'another method of a path with another variable name',
    documents: `
      query GetOne($id: ID!) @rest(method: GET, path: "/v1/ones/{id}") { order(id: $id) { id } }
      mutation DropOne($one: ID!) @rest(method: DELETE, path: "/v1/ones/{one}", status: 204) { deleteOrder(id: $one) }`,
    message:
      'rest/v1/things.graphql:3: DELETE /v1/ones/{one} is the path /v1/ones/{id} of GetOne with other variable names. Use the same names.',
  },
  {
    title: 'a former path that lacks a variable',
    documents:
      'query GetOne($id: ID!) @rest(method: GET, path: "/v1/ones/{id}", movedFrom: ["/v1/one"]) { order(id: $id) { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/one" lacks {id}, so it cannot redirect to /v1/ones/{id}.',
  },
  {
    title: 'a former path that is invalid',
    documents: 'query GetMe @rest(method: GET, path: "/v1/me", movedFrom: ["/v1/self?all"]) { me { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/self?all" is not a path such as "/v1/orders/{order_id}".',
  },
  {
    title: 'a former path that is the path of another route',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me") { me { id } }
      query GetSelf @rest(method: GET, path: "/v1/self", movedFrom: ["/v1/me"]) { me { id } }`,
    message: 'rest/v1/things.graphql:3: "/v1/me" cannot redirect to /v1/self: it is a path of GetMe.',
  },
  {
    title: "a former path that is the route's own",
    documents: 'query GetMe @rest(method: GET, path: "/v1/me", movedFrom: ["/v1/me"]) { me { id } }',
    message: 'rest/v1/things.graphql:1: "/v1/me" cannot redirect to /v1/me: it is a path of GetMe.',
  },
  {
    title: 'a former path of two routes',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me", movedFrom: ["/v1/i"]) { me { id } }
      query GetSelf @rest(method: GET, path: "/v1/self", movedFrom: ["/v1/i"]) { me { id } }`,
    message: 'rest/v1/things.graphql:3: "/v1/i" cannot redirect to /v1/self: it is a path of GetMe.',
  },
]);
