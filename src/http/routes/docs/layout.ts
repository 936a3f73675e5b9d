/** The layout of the pages below `/docs`: the header and the navigation. */
import { GUIDES } from '../../../rest/openapi/guides.ts';
import { escapeHtml, headOf } from '../../html.ts';
import type { HttpParts } from '../../parts.ts';
import { barOf, POLICY } from '../pages/page.ts';

export const DOC_HEADERS = { 'content-security-policy': POLICY };

/** Returns the id of a heading, for links: `Creating an order` becomes `creating-an-order`. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The titles of the references, by the last segment of their paths. */
const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['rest', 'REST'],
  ['rest-v1', 'REST, version 1'],
  ['graph', 'GraphQL'],
  ['errors', 'Error codes'],
  ['events', 'Event types'],
  ['changelog', 'Changelog'],
]);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Guides for operators, in the order in which they are needed. */
const FOR_OPERATORS = ['operation', 'configuration', 'certificates', 'scaling', 'performance'];

const titled = (names: readonly string[]) =>
  names.map((name) => [name, capital(name.replaceAll('-', ' '))] as const);

/** All pages of the navigation below `/docs`, with their titles. */
export const NAVIGATION: readonly {
  readonly title: string;
  readonly pages: readonly (readonly [string, string])[];
}[] = [
  {
    title: 'Guides',
    pages: titled(GUIDES.filter((name) => !REFERENCES.has(name) && !FOR_OPERATORS.includes(name))),
  },
  { title: 'Operating', pages: titled(FOR_OPERATORS) },
  { title: 'Reference', pages: [...REFERENCES] },
];

export interface DocPage {
  /** The last segment of its path; empty for `/docs` itself. */
  readonly name: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** Parts of the page in the navigation: ids and titles. */
  readonly parts?: readonly (readonly [string, string])[];
  /** Parts that only the search shows: ids and titles. */
  readonly found?: readonly (readonly [string, string])[];
}

/** Writes a whole page. */
export function docPage({ name, title, body, parts = [] }: DocPage, shared: HttpParts): string {
  const { offerDemo, services } = shared;
  const { basePath } = services;
  const link = ([page, label]: readonly [string, string]) =>
    `<li><a href="${basePath}/docs/${page}"${page === name ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a>${
      page === name && parts.length > 0
        ? `<ul>${parts.map(([place, text]) => `<li><a href="#${place}">${escapeHtml(text)}</a></li>`).join('')}</ul>`
        : ''
    }</li>`;
  const asset = `${basePath}/assets/pages`;
  return `<!doctype html>
<html lang="en">
<head>
  ${headOf(`${basePath}/`).text}
  <title>${escapeHtml(title)} · Portico</title>
  <link rel="stylesheet" href="${asset}/style.css">
  <link rel="stylesheet" href="${asset}/docs.css">
  <script type="module" src="${asset}/docs.js"></script>
</head>
<body>
  <a class="skip" href="#content">Skip to the content</a>
  ${barOf({ base: `${basePath}/`, path: name === '' ? 'docs' : `docs/${name}`, offerDemo })}
  <div class="docs">
    <nav class="contents" aria-label="Documentation">
      <div class="docs-search" data-search="${basePath}/docs/search.json"></div>
      <details open>
        <summary>Contents</summary>
${NAVIGATION.map((group) => `        <h2>${group.title}</h2>\n        <ul>${group.pages.map(link).join('')}</ul>`).join('\n')}
        <ul class="files"><li><a href="${basePath}/openapi.json">openapi.json</a></li></ul>
      </details>
    </nav>
    <main id="content" tabindex="-1">
${body}
    </main>
  </div>
</body>
</html>
`;
}
