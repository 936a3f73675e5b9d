/**
 * The protected resources of the server, as OAuth names them (RFC 8707, RFC 9728): the API as a whole, and its door for agents, whose
 * clients require metadata that name the URL they connect to, with the scopes of its tools. Tokens and grants are the same for both.
 */

import { SCOPES, type Scope } from '../auth/policy.ts';
import { basePathOf } from '../core/public-url.ts';
import type { Tool } from '../rest/tools/index.ts';
import { pathIn } from './hooks/message.ts';

/** The path of the door for agents. */
export const MCP_PATH = '/mcp';

/** The paths of the resources, below the public URL. */
export const RESOURCE_PATHS = ['', MCP_PATH] as const;

/**
 * Returns the identifiers of the resources as clients may write them: URL parsers add a slash to a URL without a path.
 *
 * @param publicUrl the URL at which clients reach the server.
 */
export const resourcesAt = (publicUrl: string): string[] => [
  ...RESOURCE_PATHS.map((path) => publicUrl + path),
  `${publicUrl}/`,
];

/** Returns the path of the metadata that name a resource's authorization server (RFC 9728, section 3.1). */
export const metadataPathOf = (resourcePath: string): string =>
  `/.well-known/oauth-protected-resource${resourcePath}`;

/**
 * Returns the paths at which the metadata are served, with the path of the resource of each. Clients insert `/.well-known/…` before the
 * path of a public URL (RFC 9728, section 3.1), where a proxy passes it on unchanged; a path that follows the public URL has precedence.
 */
export const metadataPaths = (publicUrl: string): ReadonlyMap<string, (typeof RESOURCE_PATHS)[number]> =>
  new Map([
    ...RESOURCE_PATHS.map((path) => [metadataPathOf(basePathOf(publicUrl) + path), path] as const),
    ...RESOURCE_PATHS.map((path) => [metadataPathOf(path), path] as const),
  ]);

/** Returns the path of the resource that was requested. @param url the target of the request. */
export const resourcePathOf = (url: string | undefined): (typeof RESOURCE_PATHS)[number] =>
  pathIn(url) === MCP_PATH ? MCP_PATH : '';

/** Returns all scopes that the tools of agents require. */
export const scopesOfTools = (tools: readonly Pick<Tool, 'scopes'>[]): readonly Scope[] =>
  SCOPES.filter((scope) => tools.some(({ scopes }) => scopes.includes(scope)));
