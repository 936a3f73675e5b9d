import type { ApolloServerPlugin } from '@apollo/server';
import { monotonicTime } from '../clock.ts';
import type { Context } from './context.ts';

/** Counts what comes through `/graphql`: by its operation where that is a known one, and by what became of it. */
export const countingPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: async ({ contextValue: { metrics } }) => {
    const began = monotonicTime();
    return {
      willSendResponse: async ({ operation, operationName, response: { body } }) => {
        const [error] = (body.kind === 'single' && body.singleResult.errors) || [];
        metrics.operation({
          door: 'graphql',
          type: operation?.operation ?? 'none',
          name: operationName,
          // Every error that leaves has a code of the catalogue.
          code: error ? String(error.extensions?.['code']) : 'ok',
          seconds: (monotonicTime() - began) / 1000,
        });
      },
    };
  },
};
