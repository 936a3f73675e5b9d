/** Rules of accessibility, by axe-core. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Widths of a desktop, a phone and the narrowest that WCAG 2.2 has pages fit (1.4.10, Reflow), in pixels. */
export const WIDTHS = [1440, 390, 320] as const;
export const SCHEMES = ['light', 'dark'] as const;

/**
 * Whether axe looks at pages in this view: at the two that differ most, since it takes a second for a long page. `AXE=all npm test` has
 * it look at all six.
 */
export const isAudited = (width: (typeof WIDTHS)[number], scheme: (typeof SCHEMES)[number]): boolean =>
  process.env['AXE'] === 'all' || (scheme === 'light' ? width === 1440 : width === 320);

/** What axe finds wrong on a page as it is now: a line for each element. */
export async function violationsOn(page: Page): Promise<string[]> {
  // The debugging protocol runs it, which the page's policy does not concern.
  await page.evaluate(`window.axe ?? (() => { ${SOURCE} })()`);
  const results = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary ?? ''})`),
  );
}
