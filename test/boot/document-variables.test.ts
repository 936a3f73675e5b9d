/** The variables of a route: each has one place in the path, the query, the body or a header. */
import { refusesAtBoot } from './refused-documents.ts';

refusesAtBoot([
  {
    title: 'an unused variable',
    documents: 'query GetMe($page: Int) @rest(method: GET, path: "/v1/me") { me { id } }',
    message: 'rest/v1/things.graphql:1: Variable "$page" is never used in operation "GetMe".',
  },
  {
    title: 'an optional variable inside an object',
    documents: `
      mutation Rename($id: ID!, $name: String) @rest(method: PATCH, path: "/v1/names/{id}") {
        updateUser(id: $id, input: { name: $name }) { id }
      }`,
    message:
      'rest/v1/things.graphql:3: $name is optional, but inside an object its absence cannot be distinguished from null. Give it a default, such as null, or bind the object with @body.',
  },
  {
    title: '@body beside another member of the body',
    documents: `
      mutation Rename($id: ID!, $changes: UpdateUserInput! @body, $versions: [Int!])
      @rest(method: PATCH, path: "/v1/names/{id}") {
        updateUser(id: $id, input: $changes, ifVersion: $versions) { id }
      }`,
    message: 'rest/v1/things.graphql:2: @body takes the whole body, so nothing is left for $versions.',
  },
  {
    title: '@body twice',
    documents: `
      mutation Rename($id: ID!, $changes: UpdateUserInput! @body, $versions: [Int!] @body)
      @rest(method: PATCH, path: "/v1/names/{id}") {
        updateUser(id: $id, input: $changes, ifVersion: $versions) { id }
      }`,
    message: 'rest/v1/things.graphql:2: @body takes the whole body, so nothing is left for $versions.',
  },
  {
    title: '@body with a method that has no body',
    documents: 'query GetUser($id: ID! @body) @rest(method: GET, path: "/v1/me") { user(id: $id) { id } }',
    message: 'rest/v1/things.graphql:1: $id cannot be the body: requests of this method have none.',
  },
  {
    title: '@body on a path variable',
    documents: `
      mutation Rename($id: ID! @body, $name: String!) @rest(method: PATCH, path: "/v1/names/{id}") {
        updateUser(id: $id, input: { name: $name }) { id }
      }`,
    message: 'rest/v1/things.graphql:2: $id is in the path, so it cannot be the body as well.',
  },
  {
    title: '@ifMatch on a variable that is not a list of versions',
    documents: `
      mutation Rename($id: ID!, $name: String! @ifMatch) @rest(method: PATCH, path: "/v1/names/{id}") {
        updateUser(id: $id, input: { name: $name }) { id }
      }`,
    message:
      'rest/v1/things.graphql:2: @ifMatch provides a list of versions or nothing: declare $name as [Int!].',
  },
  {
    title: '@ifMatch on a required variable',
    documents: `
      mutation Drop($id: ID!, $versions: [Int!]! @ifMatch)
      @rest(method: DELETE, path: "/v1/drops/{id}", status: 204) {
        deleteOrder(id: $id, ifVersion: $versions)
      }`,
    message:
      'rest/v1/things.graphql:2: @ifMatch provides a list of versions or nothing: declare $versions as [Int!].',
  },
]);
