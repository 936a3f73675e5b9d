/** The guides of `docs/` as pages. */
import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { GUIDES } from '../../../rest/openapi/guides.ts';
import { escapeHtml } from '../../html.ts';
import { type DocPage, slugOf } from './layout.ts';

const ROOT = new URL('../../../../', import.meta.url);

/** Returns the file of a guide. The changelog is next to the README, where people look for it. */
const fileOf = (name: string): URL =>
  new URL(name === 'changelog' ? 'CHANGELOG.md' : `docs/${name}.md`, ROOT);

const marked = new Marked({
  renderer: {
    /** Turns links to files of the repository into links to pages. A file without a page becomes plain text. */
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const guide = /^(?:docs\/)?(?<name>[\w-]+)\.md(?<place>#.*)?$/.exec(href)?.groups;
      if (!guide) return `<a href="${href}">${text}</a>`;
      const { name = '', place = '' } = guide;
      return GUIDES.includes(name) ? `<a href="${name}${place}">${text}</a>` : text;
    },
    /** Images of the guides are in `docs/images/`. */
    image({ href, text }) {
      return `<img src="${href.replace(/^images\//, '../assets/docs/')}" alt="${escapeHtml(text)}">`;
    },
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens);
      return depth === 1 ? `<h1>${text}</h1>\n` : `<h${depth} id="${slugOf(text)}">${text}</h${depth}>\n`;
    },
    /** Wide code blocks and tables scroll on their own, also by keyboard. */
    code({ text }) {
      return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
    },
  },
  hooks: {
    postprocess: (html) =>
      html
        .replaceAll('<table>', '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>')
        .replaceAll('<th></th>', '<td></td>')
        .replaceAll('</table>', '</table></div>'),
  },
});

const htmlOf = (markdown: string): string => marked.parse(markdown, { async: false });

/** Converts inline Markdown to HTML. */
export const inlineHtmlOf = (markdown: string): string => marked.parseInline(markdown, { async: false });

/** Reads the guide with this name. */
export function guidePage(name: string): DocPage {
  const markdown = readFileSync(fileOf(name), 'utf8');
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? '';
  const parts = [...markdown.matchAll(/^## (.*)$/gm)].map(
    ([, text = '']) => [slugOf(inlineHtmlOf(text)), text.replaceAll('`', '')] as const,
  );
  return { name, title, body: htmlOf(markdown), parts };
}
