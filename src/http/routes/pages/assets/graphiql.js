/** GraphiQL for this server, as the signed-in person. Subscriptions use a WebSocket on the same path. */
import { createClient } from '../graphql-ws/client.js';
import { accessToken, fetchSignedIn, onSession } from './session.js';
import './sign-in.js';

/** GraphiQL's package for dialogs reads the nonce for its styles from this variable. */
window.__webpack_nonce__ = document.querySelector('script[nonce]').nonce;

const url = new URL('graphql', location.href);
const socketUrl = Object.assign(new URL(url), { protocol: url.protocol.replace('http', 'ws') });

let socket;
let userId;

/** Functions that end the subscriptions of the present caller. Those that have ended do nothing. */
const ends = new Set();

/** A socket belongs to one caller, so each sign-in gets a new one. A refresh does not, since opening a socket may cause it. */
onSession((session) => {
  if (socket && session?.userId === userId) return;
  userId = session?.userId;
  // This closes the socket too. `dispose` would send a subscription on the closed socket if it was still being connected.
  for (const end of ends) end();
  ends.clear();
  socket = createClient({
    url: socketUrl.href,
    connectionParams: async () => {
      const token = await accessToken();
      return token ? { accessToken: token } : {};
    },
  });
});

function subscribe(payload, sink) {
  const end = socket.subscribe(payload, sink);
  ends.add(end);
  return end;
}

const fetcher = window.GraphiQL.createFetcher({
  url: url.href,
  fetch: fetchSignedIn,
  wsClient: { subscribe },
});

const EXAMPLES = [
  {
    query: `# Sign in above, then click the triangle or press Ctrl-Enter.
# The arrow opens a list of all operations in this document.

query LastOrders {
  me {
    name
    avatarUrl
    unreadNotifications
    orders(last: 3) {
      id
      status
      total
      items(first: 2) {
        name
        qty
        thumbnailUrl
      }
    }
  }
}

query Products {
  products(first: 5) {
    nodes {
      id
      name
      unitPrice
      currency
    }
    endCursor
    hasNextPage
  }
}
`,
  },
  {
    query: `mutation PlaceOrder($input: CreateOrderInput!) {
  createOrder(input: $input) {
    id
    status
    total
    currency
  }
}
`,
    variables: JSON.stringify({ input: { userId: 1, items: [{ productId: 1, qty: 2 }] } }, null, 2),
  },
  {
    query: `# New events. Leave it running, and place an order in another tab.
subscription Activity {
  activity {
    id
    type
    actor {
      name
    }
    subjectType
    subjectId
    createdAt
  }
}
`,
  },
];

const hidesSchema = !document.querySelector('[data-schema-hidden]').hidden;

const root = window.ReactDOM.createRoot(document.getElementById('graphiql'));
root.render(
  window.React.createElement(window.GraphiQL, {
    fetcher,
    // Undefined makes GraphiQL load the schema, which would show an error if introspection is off.
    schema: hidesSchema ? null : undefined,
    defaultTabs: EXAMPLES,
    shouldPersistHeaders: false,
    isHeadersEditorEnabled: true,
  }),
);
