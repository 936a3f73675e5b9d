import type { Selected } from './refusals.ts';
import type { Operation, SecurityRequirement } from './types.ts';

/** How a caller says who it is, on every door. */
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
} as const;

/** Either of them, with every scope that the selected fields ask for; nothing where all of them are public. */
export function credentialsOf(
  selected: readonly Selected[],
): Pick<Operation, 'security' | 'x-required-scopes' | 'x-required-role'> {
  const required = selected.flatMap(({ access }) =>
    access === undefined || access === 'public' ? [] : [access],
  );
  if (required.length === 0) return { security: [] };
  const scopes = [...new Set(required.flatMap(({ scope }) => scope ?? []))];
  const role = required.find((each) => each.role !== undefined)?.role;
  return {
    security: Object.keys(SECURITY_SCHEMES).map((scheme): SecurityRequirement => ({ [scheme]: scopes })),
    'x-required-scopes': scopes,
    ...(role !== undefined && { 'x-required-role': role }),
  };
}
