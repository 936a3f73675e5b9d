/** The subscription of a stream: it shares the path of a query. */
import { refusesAtBoot } from './refused-documents.ts';

const FOLLOW = 'subscription Follow @rest(method: GET, path: "/v1/news") { activity { id } }';

refusesAtBoot([
  {
    title: 'a stream on a path without a route',
    documents: `\n${FOLLOW}`,
    message:
      'rest/v1/things.graphql:2: A stream needs a query on the same path, and GET /v1/news has none. Add the query.',
  },
  {
    title: 'a stream on a path with only a mutation',
    documents: {
      'v1/changes.graphql':
        'mutation Read @rest(method: POST, path: "/v1/news") { markFeedRead { last_read: id } }',
      'v1/things.graphql': FOLLOW,
    },
    message:
      'rest/v1/things.graphql:1: A stream needs a query on the same path, and GET /v1/news has none. Add the query.',
  },
  {
    title: 'two streams on one path',
    documents: `
      query Read @rest(method: GET, path: "/v1/news") { feed { data: nodes { id } } }
      ${FOLLOW}
      subscription FollowTypes @rest(method: GET, path: "/v1/news") { activity { id type } }`,
    message:
      'rest/v1/things.graphql:4: GET /v1/news is already the stream of Follow. Each stream needs its own path.',
  },
  {
    title: 'a link to a stream that does not exist',
    documents: `
      query Read @rest(method: GET, path: "/v1/news") { feed { data: nodes { id } at: streamCursor @streamLink } }`,
    message: 'rest/v1/things.graphql:2: @streamLink needs a stream on the same path, and /v1/news has none.',
  },
  {
    title: 'a stream with another method',
    documents: 'subscription Follow @rest(method: POST, path: "/v1/news") { activity { id } }',
    message: 'rest/v1/things.graphql:1: A stream must have the method GET.',
  },
  {
    title: 'a stream with a variable in its path',
    documents: `
      query GetOne($id: ID!) @rest(method: GET, path: "/v1/ones/{id}") { order(id: $id) { id } }
      subscription Follow($id: String) @rest(method: GET, path: "/v1/ones/{id}") { activity(after: $id) { id } }`,
    message:
      'rest/v1/things.graphql:3: A stream takes its variables from the query; its path must have none.',
  },
]);
