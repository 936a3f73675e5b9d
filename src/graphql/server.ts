import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import { type ErrorCode, errorHeaders, REPLAYED } from '../errors.ts';
import { weightOf } from '../media-types.ts';
import type { Gate } from './admission/gate.ts';
import { gatePlugin } from './admission/plugin.ts';
import type { Context } from './context.ts';
import { countingPlugin } from './counting.ts';
import { deprecationPlugin } from './deprecation-plugin.ts';
import { formatError, toApiError } from './errors.ts';
import { tracingPlugin } from './tracing.ts';

export interface GraphQLServerOptions {
  readonly schema: GraphQLSchema;
  /** What every operation passes before it runs. */
  readonly gate: Gate;
  /** Hides the schema: no introspection, and no "Did you mean" that would spell it out. */
  readonly production: boolean;
  /** Whether operations are traced. */
  readonly traced: boolean;
  /** Told of every error that is not meant for a client. */
  readonly onInternalError: (cause: unknown) => void;
}

/** Apollo Server over the schema: GraphQL over HTTP, with the errors of the catalogue. */
export function createGraphQLServer(options: GraphQLServerOptions): ApolloServer<Context> {
  const { schema, gate, production, traced, onInternalError } = options;
  return new ApolloServer<Context>({
    schema,
    introspection: !production,
    hideSchemaDetailsFromClientErrors: production,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    // Its rule refuses every GET without a header of its own, which GraphQL over HTTP allows. `src/http/cross-site.ts`
    // keeps other sites out by what browsers say about a request.
    csrfPrevention: false,
    // The gate keeps the documents that it has let in.
    documentStore: null,
    // A hash was turned into the text of its document before (`admission/named.ts`), on every door in the same way.
    persistedQueries: false,
    formatError: (formatted, thrown) => {
      const error = toApiError(thrown);
      if (error.code === 'internal_error') onInternalError(error.cause);
      const answer = formatError(error, formatted);
      // Apollo Server takes the hints out of what validation says, and not out of what variables are refused with.
      return production ? { ...answer, message: answer.message.replace(/ ?Did you mean .*\?$/, '') } : answer;
    },
    plugins: [
      // It wraps every resolver, for hints that private answers have no use for.
      ApolloServerPluginCacheControlDisabled(),
      // It does nothing unless the schema is a subgraph, and would be loaded with half a megabyte of code.
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      // Both read variables of the environment by themselves, and would send what clients ask for to a third party.
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      // It may refuse a result that is too large, and the others go by that.
      gatePlugin(gate),
      countingPlugin,
      ...(traced ? [tracingPlugin] : []),
      statusPlugin,
      deprecationPlugin,
      replayPlugin,
    ],
  });
}

/** What a client of the older media type is told with a 200, since it takes other statuses for a fault in between. */
const WITHIN_200: ReadonlySet<ErrorCode> = new Set([
  'graphql_parse_failed',
  'graphql_validation_failed',
  'invalid_variables',
]);

/**
 * A request that was refused before it ran has the status of its error, as on every other door. The exception is GraphQL
 * over HTTP's own (section 6.4.1): a client that asks for `application/json` by name, and not as much for the newer media type.
 */
const statusPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async ({ request }) => ({
    willSendResponse: async ({ response: { body, http }, errors }) => {
      if (body.kind !== 'single' || !errors?.[0]) return;
      // What ran is a 200 of GraphQL's, unless the caller is to wait: proxies and clients know 429, and 503 where there is
      // nothing at all to show for the time.
      const later = errors.find((each) => {
        const { code } = toApiError(each);
        return code === 'rate_limited' || (code === 'timeout' && isEmpty(body.singleResult.data));
      });
      if ('data' in body.singleResult && !later) return;
      const error = toApiError(later ?? errors[0]);
      const accept = request.http?.headers.get('accept');
      const isOlder =
        weightOf('application/json', accept) > weightOf('application/graphql-response+json', accept);
      http.status = isOlder && WITHIN_200.has(error.code) ? 200 : error.status;
      for (const [name, value] of Object.entries(errorHeaders(error))) http.headers.set(name, value);
    },
  }),
};

/**
 * Says what of an answer is the outcome of an earlier request with the same idempotency key: the header as REST has it, and
 * `extensions.idempotentReplayed` with the names of those members.
 */
const replayPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async ({ contextValue: { replayed } }) => ({
    willSendResponse: async ({ response: { body, http } }) => {
      if (replayed.length === 0 || body.kind !== 'single') return;
      http.headers.set(REPLAYED, 'true');
      body.singleResult.extensions = { ...body.singleResult.extensions, idempotentReplayed: replayed };
    },
  }),
};

const isEmpty = (data: object | null | undefined): boolean =>
  Object.values(data ?? {}).every((value) => value === null);
