import type { ApolloServerPlugin } from '@apollo/server';
import { deprecationHeaders, earliest } from '../deprecation.ts';
import type { Context } from './context.ts';
import { deprecationsUsed, shownDeprecation } from './deprecations.ts';

/**
 * Tells a client of `/graphql` what it uses that is going to go: in the headers, where proxies and HTTP libraries look, and
 * by name in `extensions.deprecations`. An operation that was refused or failed is told so as well.
 */
export const deprecationPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ schema, document, operation, request, response, contextValue }) => {
      // A document that could not be parsed or does not fit the schema uses nothing.
      if (!document || !operation) return;
      const used = deprecationsUsed(schema, document, operation, request.variables);
      const first = earliest(used);
      if (!first) return;
      const headers = deprecationHeaders(first, contextValue.basePath);
      for (const [name, value] of Object.entries(headers)) response.http.headers.set(name, value);
      const { body } = response;
      if (body.kind === 'single') {
        const deprecations = used.map(shownDeprecation);
        body.singleResult.extensions = { ...body.singleResult.extensions, deprecations };
      }
      const names = used.map(({ coordinate }) => coordinate);
      contextValue.noteDeprecatedUse(contextValue.principal, names);
    },
  }),
};
