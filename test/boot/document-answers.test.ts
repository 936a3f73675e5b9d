/** What a route says beside its body: its version, its links, its status and its location. */
import { refusesAtBoot } from '../support/refused-documents.ts';

refusesAtBoot([
  {
    title: '@etag on something else than a version',
    documents: `
      query GetMe @rest(method: GET, path: "/v1/me") {
        me {
          id
          email @etag
        }
      }`,
    message: 'rest/v1/things.graphql:5: @etag needs a version, which is an Int.',
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
    message: 'rest/v1/things.graphql:4: @pageLink needs a page number, which is an Int.',
  },
  {
    title: '@pageLink to a parameter that the route has not',
    documents: `
      query GetOrders($page: Int) @rest(method: GET, path: "/v1/mine") {
        orders(userId: 1, page: $page) {
          pageInfo { next: nextPage @pageLink(parameter: "pgae") }
        }
      }`,
    message: 'rest/v1/things.graphql:4: @pageLink uses the parameter "pgae", which this route does not have.',
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
      'rest/v1/things.graphql:2: The location has {order_id}, which is neither a variable of the path nor an integer or string that the body always has.',
  },
  {
    title: 'a location with a member that is no number or text',
    documents: `
      mutation Add($items: [OrderItemInput!]!)
      @rest(method: POST, path: "/v1/adds", status: 201, location: "/v1/orders/{user}") {
        createOrder(input: { userId: 1, items: $items }) { id user { id } }
      }`,
    message:
      'rest/v1/things.graphql:2: The location has {user}, which is neither a variable of the path nor an integer or string that the body always has.',
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
]);
