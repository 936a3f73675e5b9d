/** Invalid parts of a route beside its body: version, links, status and location. */
import { refusesAtBoot } from './refused-documents.ts';

refusesAtBoot([
  {
    title: '@etag on a field that is not a version',
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
    title: '@streamLink on a field that is not a cursor of the page',
    documents: `
      query List @rest(method: GET, path: "/v1/news") {
        feed {
          nodes { cursor @streamLink }
        }
      }`,
    message: 'rest/v1/things.graphql:4: @streamLink needs the cursor of a page, which is a String.',
  },
  {
    title: '@pageLink inside a list',
    documents: `
      query GetOrders($page: Int) @rest(method: GET, path: "/v1/mine") {
        orders(userId: 1, page: $page) {
          nodes { id next: version @pageLink(parameter: "page") }
        }
      }`,
    message: 'rest/v1/things.graphql:4: @pageLink belongs to a page, not to the elements of a list.',
  },
  {
    title: '@pageLink on a field that is not a page number',
    documents: `
      query GetOrders($page: Int) @rest(method: GET, path: "/v1/mine") {
        orders(userId: 1, page: $page) {
          pageInfo @pageLink(parameter: "page") { nextPage }
        }
      }`,
    message: 'rest/v1/things.graphql:4: @pageLink needs a page number, which is an Int.',
  },
  {
    title: '@pageLink to an unknown parameter',
    documents: `
      query GetOrders($page: Int) @rest(method: GET, path: "/v1/mine") {
        orders(userId: 1, page: $page) {
          pageInfo { next: nextPage @pageLink(parameter: "pgae") }
        }
      }`,
    message: 'rest/v1/things.graphql:4: @pageLink uses the parameter "pgae", which this route does not have.',
  },
  {
    title: 'an error status as the status of success',
    documents: 'query GetMe @rest(method: GET, path: "/v1/me", status: 404) { me { id } }',
    message: 'rest/v1/things.graphql:1: 404 is not a status of success.',
  },
  {
    title: 'a location with an unknown member',
    documents: `
      mutation Add($items: [OrderItemInput!]!)
      @rest(method: POST, path: "/v1/adds", status: 201, location: "/v1/orders/{order_id}") {
        createOrder(input: { userId: 1, items: $items }) { id }
      }`,
    message:
      'rest/v1/things.graphql:2: The location has {order_id}, which is neither a variable of the path nor an integer or string that the body always has.',
  },
  {
    title: 'a location with a member that is neither a number nor a string',
    documents: `
      mutation Add($items: [OrderItemInput!]!)
      @rest(method: POST, path: "/v1/adds", status: 201, location: "/v1/orders/{user}") {
        createOrder(input: { userId: 1, items: $items }) { id user { id } }
      }`,
    message:
      'rest/v1/things.graphql:2: The location has {user}, which is neither a variable of the path nor an integer or string that the body always has.',
  },
  {
    title: 'a location that is not a path',
    documents: `
      mutation Add($items: [OrderItemInput!]!)
      @rest(method: POST, path: "/v1/adds", status: 201, location: "over there") {
        createOrder(input: { userId: 1, items: $items }) { id }
      }`,
    message: 'rest/v1/things.graphql:3: "over there" is not a path such as "/v1/orders/{order_id}".',
  },
  {
    title: 'a location without a body',
    documents: `
      mutation Add($items: [OrderItemInput!]!)
      @rest(method: POST, path: "/v1/adds", status: 204, location: "/v1/orders/{id}") {
        createOrder(input: { userId: 1, items: $items }) { id }
      }`,
    message: 'rest/v1/things.graphql:2: A 204 has no body to take the location from.',
  },
]);
