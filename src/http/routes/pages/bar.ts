/** The header of all pages except the console and the pages of the authorization server. */

/** The links of the header: paths and titles. */
const PAGES = [
  ['', 'Overview'],
  ['console', 'Console'],
  ['docs', 'Docs'],
  ['graphql', 'GraphiQL'],
] as const;

export interface BarOptions {
  /** The path of the server, as links of the page use it, with a trailing slash. */
  readonly base: string;
  /** The path of the page. The link to it, or to the page above it, is marked as current. */
  readonly path: string;
  /** Whether to offer the account of the demo data. */
  readonly offerDemo: boolean;
}

export function barOf({ base, path, offerDemo }: BarOptions): string {
  const links = PAGES.map(([to, title]) => {
    const state =
      to === path ? ' aria-current="page"' : path.startsWith(`${to}/`) ? ' aria-current="true"' : '';
    return `<a href="${base}${to}"${state}>${title}</a>`;
  });
  return `<header class="bar">
    <a class="mark" href="${base}"><img src="${base}assets/pages/mark.svg" alt="" width="22" height="22">Portico</a>
    <nav aria-label="Pages">
      ${links.join('\n      ')}
    </nav>
    <div data-sign-in${offerDemo ? ' data-demo' : ''}></div>
  </header>`;
}
