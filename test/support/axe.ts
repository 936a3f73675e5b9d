/** Rules of accessibility, by axe-core. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ContextSpec, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Widths of a desktop, a phone and the narrowest that WCAG 2.2 has pages fit (1.4.10, Reflow), in pixels. */
export const WIDTHS = [1440, 390, 320] as const;
export const SCHEMES = ['light', 'dark'] as const;

export interface View {
  readonly width: (typeof WIDTHS)[number];
  readonly scheme: (typeof SCHEMES)[number];
}

/** Where pages are looked at: in the two views that differ most, since axe takes a second for a long page. `AXE=all` has all six. */
export const VIEWS: readonly View[] = WIDTHS.flatMap((width) =>
  SCHEMES.map((scheme) => ({ width, scheme })),
).filter(
  ({ width, scheme }) =>
    process.env['AXE'] === 'all' || (scheme === 'light' ? width === 1440 : width === 320),
);

const widthsOf = (scheme: View['scheme']): readonly View['width'][] =>
  VIEWS.filter((view) => view.scheme === scheme).map(({ width }) => width);

/** What GraphiQL draws is its makers' to mend; the page around it is ours. */
const CONTEXT: ContextSpec = { exclude: ['.graphiql-container'] };

/** Axe leaves the size of targets out by itself: that rule is of WCAG 2.2 (2.5.8). */
const OPTIONS: RunOptions = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };

/** What axe finds wrong on a page as it is now: a line for each element. */
export async function violationsOn(page: Page): Promise<string[]> {
  // The debugging protocol runs it, which the page's policy does not concern.
  await page.evaluate(`window.axe ?? (() => { ${SOURCE} })()`);
  const results = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(CONTEXT)}, ${JSON.stringify(OPTIONS)})`,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary ?? ''})`),
  );
}

/** What is wrong on a page as it is now: that it can be scrolled sideways, and what axe finds. */
async function problemsOn(page: Page): Promise<string[]> {
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return [
    ...(over > 0 ? [`It is ${over} pixels wider than the window.`] : []),
    ...(await violationsOn(page)),
  ];
}

/** Collects what is wrong on the pages of a walk, so that a test reports all of it. */
export class Inspection {
  readonly problems: string[] = [];
  readonly #page: Page;
  readonly #scheme: View['scheme'];

  constructor(page: Page, scheme: View['scheme']) {
    this.#page = page;
    this.#scheme = scheme;
  }

  /** Looks at the page as it is now, at these widths; at all that a page of its colours is looked at when left out. */
  async look(what: string, widths = widthsOf(this.#scheme)): Promise<void> {
    for (const width of widths) {
      await this.#page.setViewportSize({ width, height: 800 });
      const problems = await problemsOn(this.#page);
      this.problems.push(...problems.map((problem) => `${what}, ${width}, ${this.#scheme}: ${problem}`));
    }
  }
}
