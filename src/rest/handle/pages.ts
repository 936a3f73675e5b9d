/** Links from one page of a list to the next, and to its stream, in the body and in the `Link` header (RFC 8288). */
import { type ParsedUrlQueryInput, stringify } from 'node:querystring';
import { type MemberPath, NEXT_CURSOR, type View } from '../compile/view.ts';
import type { RestRequest } from './binding.ts';

type Body = Record<string, unknown>;

/**
 * Replaces the page numbers in the body of a page by links.
 *
 * @param self the path of the request, as the client sees it.
 * @returns the URL of the next page, undefined for the last one, and of the stream that continues the list, undefined if there is none.
 */
export const linksOf = (view: View, body: Body, self: string, query: RestRequest['query']) => ({
  next: linkPages(view, body, self, query),
  monitor: streamOf(view, body, self, query),
});

/** Returns the URL of the next page; undefined for the last one. */
function linkPages(
  { pageLinks, hasCursor }: View,
  body: Body,
  self: string,
  query: RestRequest['query'],
): string | undefined {
  let next: string | undefined;
  for (const { path, parameter } of pageLinks) {
    const owner = ownerOf(body, path);
    const last = path.at(-1) ?? '';
    const page = owner[last];
    if (page === null) continue;
    const link = withParameter(self, query, parameter, String(page));
    owner[last] = link;
    if (last === 'next') next = link;
  }
  if (!hasCursor) return next;
  const cursor = body[NEXT_CURSOR];
  return cursor === null ? undefined : withParameter(self, query, 'cursor', String(cursor));
}

function streamOf(
  { streamCursor }: View,
  body: Body,
  self: string,
  { limit: _, ...filters }: RestRequest['query'],
): string | undefined {
  const cursor = streamCursor === undefined ? null : body[streamCursor];
  return cursor === null ? undefined : withParameter(self, filters, 'cursor', String(cursor));
}

function ownerOf(body: Body, path: MemberPath): Body {
  let owner: Body = body;
  // Every step but the last is an object, since a page link is not inside a list.
  for (const name of path.slice(0, -1)) owner = owner[name] as Body;
  return owner;
}

/** Returns the request's own path and query, with one parameter changed. */
function withParameter(self: string, query: RestRequest['query'], name: string, value: string): string {
  // The values of a query are strings, or lists of them. Those of a tool can be numbers or Booleans.
  return `${self}?${stringify({ ...query, [name]: value } as ParsedUrlQueryInput)}`;
}
