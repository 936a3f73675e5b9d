/** GraphQL clients with normalised caches, which store objects by type and id: Apollo Client, urql with Graphcache, and Relay. */
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  introspectionFromSchema,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import {
  type ConcreteRequest,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  getRequest,
  Network,
  RecordSource,
  Store,
} from 'relay-runtime';
import { schema } from '../support/api.ts';

type Result = Readonly<Record<string, unknown>>;

/** A client with its cache. */
export interface CachingClient {
  /** Sends a query to the server, and writes the response to the cache. */
  fetch(query: DocumentNode): Promise<void>;
  /** Reads a query from the cache; undefined if a part is missing. */
  cached(query: DocumentNode): Promise<Result | undefined>;
}

type CreateClient = (url: string, token: string) => CachingClient;

const headersWith = (token: string) => ({ authorization: `Bearer ${token}` });

const apollo: CreateClient = (url, token) => {
  const possibleTypes = Object.fromEntries(
    Object.values(schema.getTypeMap())
      .filter(isInterfaceType)
      .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
  );
  const client = new ApolloClient({
    cache: new InMemoryCache({ possibleTypes }),
    link: new HttpLink({ uri: url, headers: headersWith(token) }),
  });
  return {
    async fetch(query) {
      await client.query({ query, fetchPolicy: 'network-only' });
    },
    cached: async (query) => client.readQuery<Result>({ query }) ?? undefined,
  };
};

const urql: CreateClient = (url, token) => {
  const embedded = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) && !type.name.startsWith('__') && !('id' in type.getFields()),
  );
  const client = new Client({
    url,
    preferGetMethod: false,
    fetchOptions: { headers: headersWith(token) },
    exchanges: [
      cacheExchange({
        schema: introspectionFromSchema(schema),
        keys: Object.fromEntries(embedded.map(({ name }) => [name, () => null])),
      }),
      fetchExchange,
    ],
  });
  return {
    async fetch(query) {
      const { error } = await client.query<Result>(query, {}, { requestPolicy: 'network-only' }).toPromise();
      if (error) throw error;
    },
    async cached(query) {
      const { data } = await client.query<Result>(query, {}, { requestPolicy: 'cache-only' }).toPromise();
      return data ?? undefined;
    },
  };
};

const relay: CreateClient = (url, token) => {
  const environment = new Environment({
    // As in docs/clients.md: ids are only unique within a type.
    getDataID: (record, typename) => (record['id'] == null ? undefined : `${typename}:${record['id']}`),
    store: new Store(new RecordSource()),
    network: Network.create(async ({ text }) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headersWith(token), 'content-type': 'application/json' },
        body: JSON.stringify({ query: text }),
      });
      // Relay validates the response itself.
      return (await response.json()) as never;
    }),
  });
  const requests = new Map<DocumentNode, ConcreteRequest>();
  const requestOf = (query: DocumentNode) => {
    const request = requests.get(query) ?? compileForRelay(query);
    if (!requests.has(query)) {
      requests.set(query, request);
      environment.retain(createOperationDescriptor(getRequest(request), {}));
    }
    return request;
  };
  return {
    async fetch(query) {
      await fetchQuery(environment, requestOf(query), {}, { fetchPolicy: 'network-only' }).toPromise();
    },
    async cached(query) {
      const operation = createOperationDescriptor(getRequest(requestOf(query)), {});
      if (environment.check(operation).status === 'missing') return undefined;
      return environment.lookup(operation.fragment).data as Result | undefined;
    },
  };
};

export const CLIENTS: Readonly<Record<string, CreateClient>> = {
  'Apollo Client': apollo,
  urql,
  Relay: relay,
};

/** Compiles a query without fragments and variables as relay-compiler does, which would need a process for each set of queries. */
function compileForRelay(document: DocumentNode): ConcreteRequest {
  const [operation] = document.definitions as readonly [OperationDefinitionNode];
  const name = operation.name?.value ?? 'Query';
  const selections = selectionsOf(operation.selectionSet, schema.getQueryType() ?? undefined);
  const parts = { argumentDefinitions: [], name, selections };
  // The types of Relay require more than its runtime needs.
  return {
    kind: 'Request',
    fragment: { ...parts, kind: 'Fragment', metadata: null, type: 'Query', abstractKey: null },
    operation: { ...parts, kind: 'Operation' },
    params: { cacheID: name, id: null, metadata: {}, name, operationKind: 'query', text: print(document) },
  } as unknown as ConcreteRequest;
}

function selectionsOf({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined): object[] {
  return selections.flatMap((node) => (node.kind === Kind.FIELD ? [fieldOf(node, type)] : []));
}

function fieldOf(
  { name: { value: name }, alias, arguments: given, selectionSet }: FieldNode,
  type?: GraphQLNamedType,
) {
  const field = type && 'getFields' in type ? type.getFields()[name] : undefined;
  const args = given?.length ? given.map(argumentOf).sort((a, b) => (a.name < b.name ? -1 : 1)) : null;
  const storageKey =
    args && `${name}(${args.map((each) => `${each.name}:${JSON.stringify(each.value)}`).join(',')})`;
  const common = { alias: alias?.value ?? null, args, name, storageKey };
  if (!selectionSet || !field || !('args' in field)) return { ...common, kind: 'ScalarField' };
  const inner = getNamedType(field.type);
  return {
    ...common,
    kind: 'LinkedField',
    concreteType: isObjectType(inner) ? inner.name : null,
    plural: isListType(getNullableType(field.type)),
    selections: selectionsOf(selectionSet, isLeafType(inner) ? undefined : inner),
  };
}

const argumentOf = ({ name, value }: ArgumentNode) => ({
  kind: 'Literal',
  name: name.value,
  value: literalOf(value),
});

function literalOf(value: ValueNode): unknown {
  if (value.kind === Kind.LIST) return value.values.map(literalOf);
  if (value.kind === Kind.INT) return Number(value.value);
  return 'value' in value ? value.value : null;
}
