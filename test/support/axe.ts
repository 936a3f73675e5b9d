/** Rules of accessibility, by axe-core. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ContextObject, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Widths of a desktop, a phone and the narrowest that WCAG 2.2 has pages fit (1.4.10, Reflow), in pixels. */
const WIDTHS = [1440, 390, 320] as const;
const SCHEMES = ['light', 'dark'] as const;

interface View {
  readonly width: (typeof WIDTHS)[number];
  readonly scheme: (typeof SCHEMES)[number];
}

/** Where pages are looked at: in the two views that differ most, since axe takes a second for a long page. `AXE=all` has all six. */
const VIEWS: readonly View[] = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme }))).filter(
  ({ width, scheme }) =>
    process.env['AXE'] === 'all' || (scheme === 'light' ? width === 1440 : width === 320),
);

/** Resolves when a page is drawn as its window is now, and as its scripts wish in answer to that. */
const DRAWN = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** What GraphiQL draws is its makers' to mend; the page around it is ours. */
const CONTEXT: ContextObject = { exclude: ['.graphiql-container'] };

/** Axe leaves the size of targets out by itself: that rule is of WCAG 2.2 (2.5.8). */
const OPTIONS: RunOptions = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };

/** What axe finds wrong on a page as it is now, or in a part of it: a line for each element. */
export async function violationsOn(page: Page, part?: string): Promise<string[]> {
  // The debugging protocol runs it, which the page's policy does not concern.
  // It is half a megabyte, which a page that has it need not be sent again.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`(() => { ${SOURCE} })()`);
  const context = { ...CONTEXT, ...(part !== undefined && { include: part }) };
  const results = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(OPTIONS)})`,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary ?? ''})`),
  );
}

/** What is wrong with the width of a page as it is now: that it can be scrolled sideways. */
async function excessOf(page: Page): Promise<string[]> {
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return over > 0 ? [`It is ${over} pixels wider than the window.`] : [];
}

/** Collects what is wrong on the pages of a walk, so that a test reports all of it. */
export class Inspection {
  readonly problems: string[] = [];
  readonly #page: Page;
  /** The first is that of the look before: half of the pages are loaded in a narrow window. */
  #views = VIEWS;

  constructor(page: Page) {
    this.#page = page;
  }

  /**
   * Looks at the page as it is now, in each view: whether it fits, and what axe finds.
   *
   * @param part where axe looks; the whole page when left out.
   */
  look(what: string, part?: string): Promise<void> {
    return this.#inEachView(what, async (page) => [
      ...(await excessOf(page)),
      ...(await violationsOn(page, part)),
    ]);
  }

  /** Looks whether the page fits as it is now, in each view. */
  fit(what: string): Promise<void> {
    return this.#inEachView(what, excessOf);
  }

  /**
   * Looks whether the page fits in each view, and runs axe in one of them, which is another one for each page: for what has the
   * layout of pages that were looked at in all. With `AXE=all` it runs in all.
   */
  async lookOnce(what: string, part?: string): Promise<void> {
    if (process.env['AXE'] === 'all') return this.look(what, part);
    await this.fit(what);
    const problems = await violationsOn(this.#page, part);
    this.problems.push(...problems.map((problem) => `${what}: ${problem}`));
  }

  async #inEachView(what: string, problemsOn: (page: Page) => Promise<string[]>): Promise<void> {
    for (const { width, scheme } of this.#views) {
      await this.#page.emulateMedia({ colorScheme: scheme });
      await this.#page.setViewportSize({ width, height: 800 });
      await this.#page.evaluate(DRAWN);
      const problems = await problemsOn(this.#page);
      this.problems.push(...problems.map((problem) => `${what}, ${width}, ${scheme}: ${problem}`));
    }
    this.#views = this.#views.toReversed();
  }
}
