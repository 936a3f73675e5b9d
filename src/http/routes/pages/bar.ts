/** The header of all pages, but the console and those of the authorization server. */

/** Where it leads, by path. */
const PAGES = [
  ['', 'Overview'],
  ['console', 'Console'],
  ['docs', 'Docs'],
  ['graphql', 'GraphiQL'],
] as const;

export interface BarOptions {
  /** The path of the server as the page has it, with a slash at its end. */
  readonly base: string;
  /** The path of the page, or of the one above it. */
  readonly path: string;
  /** Whether it offers the account of the demo data. */
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
