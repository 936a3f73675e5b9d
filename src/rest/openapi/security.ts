import { SCOPE_WORDS } from '../../graphql/directives/auth.ts';
import { requirementsOf, type Selected } from './refusals.ts';
import type { Operation, SecurityRequirement } from './types.ts';

/** The authentication schemes of all doors. */
export const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a sign-in (`POST /v1/auth/login`), valid for 15 minutes.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key with its scheme: `ApiKey pk_…`.',
  },
  mutualTLS: {
    type: 'mutualTLS',
    description:
      'A client certificate registered at `/v1/client-certificates`, presented at the port for them or through a proxy.',
  },
  oauth2: {
    type: 'oauth2',
    description:
      'An access token that the authorization server issued to an app. Devices start at `/oauth/device`, for which OpenAPI 3.1 has no flow.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/oauth/authorize',
        tokenUrl: '/oauth/token',
        refreshUrl: '/oauth/token',
        scopes: SCOPE_WORDS,
      },
      clientCredentials: { tokenUrl: '/oauth/token', scopes: SCOPE_WORDS },
    },
  },
} as const;

/** Returns the alternative schemes, with the scopes that the selected fields require; none if all fields are public. */
export function credentialsOf(
  selected: readonly Selected[],
): Pick<Operation, 'security' | 'x-required-scopes' | 'x-required-role'> {
  const required = requirementsOf(selected);
  if (required.length === 0) return { security: [] };
  const scopes = [...new Set(required.flatMap(({ scope }) => scope ?? []))];
  const alternatives = required.flatMap(({ scope, or }) =>
    or === undefined ? [] : [scopes.map((each) => (each === scope ? or : each))],
  );
  const role = required.find((each) => each.role !== undefined)?.role;
  return {
    security: [scopes, ...alternatives].flatMap((needed) =>
      Object.keys(SECURITY_SCHEMES).map((scheme): SecurityRequirement => ({ [scheme]: needed })),
    ),
    'x-required-scopes': scopes,
    ...(role !== undefined && { 'x-required-role': role }),
  };
}
