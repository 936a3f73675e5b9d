/** Checks the accessibility of pages with axe-core. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ContextObject, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The widths of a desktop, a phone and the narrowest viewport of WCAG 2.2 (1.4.10, Reflow), in pixels. */
const WIDTHS = [1440, 390, 320] as const;
const SCHEMES = ['light', 'dark'] as const;

interface View {
  readonly width: (typeof WIDTHS)[number];
  readonly scheme: (typeof SCHEMES)[number];
}

/** The views in which pages are checked: the two that differ most, since axe takes a second for a long page. `AXE=all` selects all six. */
const VIEWS: readonly View[] = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme }))).filter(
  ({ width, scheme }) =>
    process.env['AXE'] === 'all' || (scheme === 'light' ? width === 1440 : width === 320),
);

/** Resolves when the page has been rendered in the current window, including the reactions of its scripts. */
const DRAWN = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** GraphiQL's own elements are excluded; only the page around it belongs to this repository. */
const CONTEXT: ContextObject = { exclude: ['.graphiql-container'] };

/** axe disables the rule for target sizes (WCAG 2.2, 2.5.8) by default. */
const OPTIONS: RunOptions = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };

/** Hints of fields and texts of dialogs that screen readers do not read with their fields and titles. */
const UNHEARD = `[...document.querySelectorAll('.field .hint, .rule, dialog .hint, dialog > h2 + p:not(.said)')]
  .filter(({ id }) => !id || !document.querySelector('[aria-describedby~="' + id + '"]'))
  .map(({ textContent }) => textContent)`;

/** Returns the violations that axe finds on the page or in a part of it, one line per element, and hints that belong to none. */
export async function violationsOn(page: Page, part?: string): Promise<string[]> {
  // The page's content security policy does not apply to scripts that the debugging protocol runs.
  // The source is half a megabyte, so it is only sent once per page.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`(() => { ${SOURCE} })()`);
  const context = { ...CONTEXT, ...(part !== undefined && { include: part }) };
  const results = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(OPTIONS)})`,
  );
  const unheard = await page.evaluate<string[]>(UNHEARD);
  return [
    ...results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} (${failureSummary ?? ''})`),
    ),
    ...unheard.map((hint) => `not part of a description: ${hint}`),
  ];
}

/** Returns how each of these elements looks with the colors that a person has forced, which replace its own, and its background. */
export async function forcedLooksOf(page: Page, selector: string): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
    const { fontWeight, outlineStyle, textDecoration } = getComputedStyle(element);
    return [fontWeight, outlineStyle, textDecoration].join('; ');
  })`);
}

/** Reports a page that scrolls horizontally. */
async function excessOf(page: Page): Promise<string[]> {
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return over > 0 ? [`The page is ${over} pixels wider than the window.`] : [];
}

/** Collects the problems of all pages that a test visits, so that it reports all of them. */
export class Inspection {
  readonly problems: string[] = [];
  readonly #page: Page;
  /** Reversed after each check, so that the first view is the last one of the previous check, and half of the pages load in a narrow window. */
  #views = VIEWS;

  constructor(page: Page) {
    this.#page = page;
  }

  /**
   * Checks the current page in each view: its width, and the rules of axe.
   *
   * @param part the part that axe checks; by default the whole page.
   */
  look(what: string, part?: string): Promise<void> {
    return this.#inEachView(what, async (page) => [
      ...(await excessOf(page)),
      ...(await violationsOn(page, part)),
    ]);
  }

  /** Checks the width of the current page in each view. */
  fit(what: string): Promise<void> {
    return this.#inEachView(what, excessOf);
  }

  /**
   * Checks the width of the page in each view, and runs axe in one of them, in turn: for pages with the layout of pages that were checked
   * in all views. With `AXE=all`, runs axe in all views.
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
