import { readFileSync } from 'node:fs';
import type { RouteOptions } from 'fastify';
import { Marked } from 'marked';
import { GUIDES } from '../../rest/openapi/guides.ts';
import { otherMethods } from './methods.ts';
import { GUIDE_POLICY } from './pages/policy.ts';
import { textRoute } from './texts.ts';

const FOLDER = new URL('../../../docs/', import.meta.url);

const HEADERS = { 'content-security-policy': GUIDE_POLICY };

const STYLE = `
  body { font: 17px/1.6 system-ui, sans-serif; max-width: 52rem; margin: 4rem auto; padding: 0 1.5rem; color: #1d2733 }
  h1, h2, h3 { font-weight: 600; line-height: 1.25 } h2 { margin-top: 2.5rem }
  code { background: #eef1f5; border-radius: 4px; padding: .1em .35em } pre { background: #eef1f5; border-radius: 6px;
  padding: 1rem; overflow-x: auto } pre code { padding: 0 } table { border-collapse: collapse }
  th, td { border: 1px solid #d5dbe3; padding: .4em .7em; text-align: left; vertical-align: top }`;

/** Serves the guides at `/docs/<name>`, where headers such as `Link: …; rel="deprecation"` lead people. */
export function guideRoutes(): RouteOptions[] {
  return GUIDES.flatMap((name) => {
    const markdown = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');
    const url = `/docs/${name}`;
    const page = textRoute(url, 'text/html; charset=utf-8', () => pageOf(markdown), HEADERS);
    return [page, ...otherMethods(url, ['GET'])];
  });
}

const marked = new Marked({
  renderer: {
    /** In the repository a guide links to files; here to pages, and what is no page here is only named. */
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const guide = /^(?<name>[\w-]+)\.md(?<place>#.*)?$/.exec(href)?.groups;
      if (!guide) return `<a href="${href}">${text}</a>`;
      const { name = '', place = '' } = guide;
      return GUIDES.includes(name) ? `<a href="${name}${place}">${text}</a>` : text;
    },
  },
});

function pageOf(markdown: string): string {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? '';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Portico</title>
<style>${STYLE}
</style>
${marked.parse(markdown, { async: false })}</html>
`;
}
