/** The console: one page for all paths below `/console`. Its modules run in the browser without a build step. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { RouteOptions } from 'fastify';
import { ROLE_SCOPES } from '../../../auth/policy.ts';
import { CURRENCIES, decimalsOf } from '../../../core/money.ts';
import { vocabulary } from '../../../rest/openapi/inputs.ts';
import { headOf } from '../../html.ts';
import type { HttpParts } from '../../parts.ts';
import { HTML, textRoute } from '../texts.ts';
import { policyWithScript } from './page.ts';

/** The paths of the packages that modules import by name. Packages that import each other get the same copies. */
const IMPORTS: Readonly<Record<string, string>> = {
  preact: 'preact/preact.mjs',
  'preact/hooks': 'preact-hooks/hooks.mjs',
  '@preact/signals': 'preact-signals/signals.mjs',
  '@preact/signals-core': 'preact-signals-core/signals-core.mjs',
  htm: 'htm/htm.mjs',
};

/** Further modules that the first load needs. */
const SHARED = ['pages/session.js', 'pages/http.js', 'pages/theme.js', 'graphql-ws/client.js'];

/** The decimals of currencies that do not have two. Those of browsers are no substitute: they follow usage (CLDR) instead of ISO 4217. */
const DECIMALS = Object.fromEntries(
  CURRENCIES.map((currency) => [currency, decimalsOf(currency)]).filter(([, decimals]) => decimals !== 2),
);

const SCOPES = Object.fromEntries(Object.entries(ROLE_SCOPES).map(([role, scopes]) => [role, [...scopes]]));

/** The tables of the server that modules of the console need, by the names of data attributes. */
const TABLES = { decimals: DECIMALS, scopes: SCOPES, 'audit-types': vocabulary('auditTypes').toSorted() };

/** Removed by the scripts once all of them are loaded. */
const LOADING = '<p class="loading">The console is loading. If it does not appear, reload the page.</p>';

/** The element of the console, with these tables as JSON. It contains no apostrophes, so that it needs no escaping. */
const rootOf = (offerDemo: boolean) => {
  const data = Object.entries(TABLES).map(([name, table]) => ` data-${name}='${JSON.stringify(table)}'`);
  return `<div id="console"${data.join('')}${offerDemo ? ' data-demo' : ''}>${LOADING}</div>`;
};

export function consoleRoutes({ services: { basePath }, offerDemo }: HttpParts): RouteOptions[] {
  const asset = (path: string) => `${basePath}/assets/${path}`;
  const imports = JSON.stringify({
    imports: Object.fromEntries(Object.entries(IMPORTS).map(([name, path]) => [name, asset(path)])),
  });
  const own = readdirSync(new URL('console/', import.meta.url)).filter((name) => name.endsWith('.js'));
  // Preloads all modules at once; otherwise the browser would discover them one after the other.
  const preloads = [...Object.values(IMPORTS), ...SHARED, ...own.map((name) => `console/${name}`)]
    .map((path) => `  <link rel="modulepreload" href="${asset(path)}">`)
    .join('\n');
  const page = readFileSync(new URL('console.html', import.meta.url), 'utf8')
    .replaceAll('{base}', basePath)
    .replace('<!-- head -->', headOf(`${basePath}/`).text)
    .replace('<!-- imports -->', `<script type="importmap">${imports}</script>\n${preloads}`)
    .replace('<!-- root -->', rootOf(offerDemo));
  const hash = createHash('sha256').update(imports).digest('base64');
  const headers = { 'content-security-policy': policyWithScript(`'sha256-${hash}'`) };
  return ['/console', '/console/*'].map((url) => textRoute(url, HTML, page, headers));
}
