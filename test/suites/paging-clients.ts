/** Pages through lists with Relay and Apollo Client, with their own support for connections. */
import { ApolloClient, gql, HttpLink, InMemoryCache, type ObservableQuery } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import {
  createOperationDescriptor,
  fetchQuery,
  getPaginationMetadata,
  getPaginationVariables,
  getRefetchMetadata,
  getRequest,
  getSelector,
  getValueAtPath,
  type SingularReaderSelector,
} from 'relay-runtime';
import { type CursorList, PAGE_ARGUMENTS, PASSED_ON } from '../support/cursor-lists.ts';
import { compileRelayProject, environmentFor, type RelayProject } from './relay-project.ts';

export interface Row {
  readonly __typename: string;
  readonly id: string;
}

/** The part of a list that a client has read into its cache. */
interface ListInCache {
  rows(): readonly Row[];
  hasMore(direction: Direction): boolean;
  /** Reads the next rows in a direction. */
  loadMore(direction: Direction, count: number): Promise<void>;
}

export type Direction = 'forward' | 'backward';

/** Reads the first page of a list, from its start or, backward, from its end. */
type OpenList = (list: CursorList, direction: Direction, count: number) => Promise<ListInCache>;

/** Creates a client for a server, with a token. */
export type CreatePagingClient = (url: string, token: string) => OpenList;

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

interface Page {
  readonly edges: readonly { readonly node: Row }[];
  readonly pageInfo: PageInfo;
}

const cursorIn = ({ startCursor, endCursor }: PageInfo, direction: Direction) =>
  direction === 'forward' ? endCursor : startCursor;
const moreIn = ({ hasNextPage, hasPreviousPage }: PageInfo, direction: Direction) =>
  direction === 'forward' ? hasNextPage : hasPreviousPage;
const lengthOf = (direction: Direction, count: number) =>
  direction === 'forward' ? { first: count } : { last: count };

/** The name of a list in the module `lists`. */
const nameOf = ({ name }: CursorList) => name.replace('.', '_');

/** Returns a query per list, and the fragment that pages through it. relay-compiler generates the query of the fragment. */
export const relayDocuments = (lists: readonly CursorList[]): readonly string[] =>
  lists.flatMap((list) => {
    const { type, field, parent, given } = list;
    const name = nameOf(list);
    const spread = `...lists_${name} @arguments(first: $first, last: $last)`;
    const defined = Object.entries(PAGE_ARGUMENTS).map(([argument, of]) => `${argument}: { type: "${of}" }`);
    return [
      `query lists${name}Query($first: Int, $last: Int) { ${parent ? `parent: ${parent} { ${spread} }` : spread} }`,
      `fragment lists_${name} on ${type} @argumentDefinitions(${defined.join(', ')}) @refetchable(queryName: "lists${name}Page") {
        ${field}(${[...given, ...PASSED_ON].join(', ')}) @connection(key: "lists_${name}_${field}") { edges { node { __typename id } } }
      }`,
    ];
  });

export const compileLists = (lists: readonly CursorList[]): Promise<RelayProject> =>
  compileRelayProject('lists', relayDocuments(lists));

/** Relay without a user interface: calls its runtime as `usePaginationFragment` does. */
export const relayWith =
  (project: RelayProject): CreatePagingClient =>
  (url, token) => {
    const environment = environmentFor(url, token);
    return async (list, direction, count) => {
      const name = nameOf(list);
      const fragment = project.fragment(`lists_${name}`);
      const request = getRequest(project.request(`lists${name}Query`));
      const variables = lengthOf(direction, count);
      await fetchQuery(environment, request, variables).toPromise();
      const operation = createOperationDescriptor(request, variables);
      environment.retain(operation);
      const { data } = environment.lookup(operation.fragment);
      const owner = list.parent ? (data as { readonly parent: unknown }).parent : data;
      // For a single object, there is a single selector.
      const selector = getSelector(fragment, owner) as SingularReaderSelector;
      const {
        connectionPathInFragmentData: path,
        paginationRequest,
        paginationMetadata,
      } = getPaginationMetadata(fragment, name);
      const { identifierInfo } = getRefetchMetadata(fragment, name);
      const shown = () => environment.lookup(selector).data as Readonly<Record<string, unknown>>;
      const page = () => getValueAtPath(shown(), path) as Page;
      return {
        rows: () => page().edges.map(({ node: { __typename, id } }) => ({ __typename, id })),
        hasMore: (way) => moreIn(page().pageInfo, way),
        async loadMore(way, more) {
          const fragmentVariables = { ...selector.owner.variables, ...selector.variables };
          const cursor = cursorIn(page().pageInfo, way);
          const next = getPaginationVariables(way, more, cursor, fragmentVariables, {}, paginationMetadata);
          const { identifierField: id, identifierQueryVariableName: variable } = identifierInfo ?? {};
          if (id && variable) next[variable] = shown()[id];
          await fetchQuery(environment, paginationRequest, next).toPromise();
        },
      };
    };
  };

/** Apollo Client with its helper for connections. */
export const apolloWith =
  (lists: readonly CursorList[]): CreatePagingClient =>
  (url, token) => {
    const policies = Map.groupBy(lists, ({ type }) => type);
    const typePolicies = Object.fromEntries(
      [...policies].map(([type, ofType]) => [
        type,
        {
          fields: Object.fromEntries(
            ofType.map(({ field, given }) => [field, relayStylePagination(namesIn(given))]),
          ),
        },
      ]),
    );
    const client = new ApolloClient({
      cache: new InMemoryCache({ typePolicies }),
      link: new HttpLink({ uri: url, headers: { authorization: `Bearer ${token}` } }),
    });
    return async (list, direction, count) => {
      const query = gql(
        list.document(
          'edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }',
        ),
      );
      const none = Object.fromEntries(Object.keys(PAGE_ARGUMENTS).map((name) => [name, null]));
      const observed: ObservableQuery = client.watchQuery({
        query,
        variables: { ...none, ...lengthOf(direction, count) },
      });
      await observed.refetch();
      const page = () => list.pageIn(observed.getCurrentResult().data) as Page;
      return {
        rows: () => page().edges.map(({ node: { __typename, id } }) => ({ __typename, id })),
        hasMore: (way) => moreIn(page().pageInfo, way),
        async loadMore(way, more) {
          const cursor = cursorIn(page().pageInfo, way);
          const next = way === 'forward' ? { after: cursor } : { before: cursor };
          await observed.fetchMore({ variables: { ...none, ...lengthOf(way, more), ...next } });
        },
      };
    };
  };

const namesIn = (given: readonly string[]) => given.map((argument) => argument.replace(/:.*/s, ''));
