import { ENGINES, ENTRIES, engineTitle } from './contestants.ts';
import type { PairResult, Run } from './results.ts';
import { formatEstimate } from './table.ts';

const WIDTH = 860;
const MARGIN = 16;
/** The left edge of the bars, and the space for the figure to the right of the longest bar. */
const BARS = 440;
const FIGURES = 110;
const ROW = 26;
const BAR = 14;
const HEADING = 40;
const TOP = 64;

/** Styles for light and dark mode, by the viewer's setting. */
const STYLE = `
  svg { font: 13px system-ui, sans-serif }
  .page { fill: #ffffff } text { fill: #1d2733 } .heading { font-weight: 600; font-size: 15px } .minor { fill: #556270 }
  .better { fill: #1a7f4b } .worse { fill: #3b6fb6 } .line { stroke: #556270 } .error { stroke: #1d2733; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0f151c } text { fill: #e6edf3 } .minor { fill: #9fb0c0 }
    .better { fill: #46b97d } .worse { fill: #6d9fe0 } .line { stroke: #9fb0c0 } .error { stroke: #e6edf3 }
  }`;

/** Draws one bar per comparison, with its standard error, and a line at the ratio 1. */
export function drawRun({ results, commit }: Run): string {
  const scale = scaleOf(results);
  const parts: string[] = [];
  let y = TOP;
  for (const engine of ENGINES) {
    const own = results.filter((result) => result.engine === engine);
    if (own.length === 0) continue;
    parts.push(text(MARGIN, y + HEADING / 2 + 4, engineTitle[engine], 'heading'));
    y += HEADING;
    for (const result of own) {
      parts.push(row(result, y, scale));
      y += ROW;
    }
  }
  const equal = (BARS + scale(1)).toFixed(1);
  const height = y + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">Portico compared with other servers, by processor time</title>
<desc id="desc">${escaped(describe(results))}</desc>
<style>${STYLE}
</style>
<rect class="page" width="100%" height="100%" rx="6"/>
${text(MARGIN, 28, 'Requests that Portico serves in the processor time in which the other server serves one', 'heading')}
${text(MARGIN, 48, `More is better for Portico; the line is at 1. Commit ${commit.slice(0, 12)}.`, 'minor')}
${parts.join('\n')}
<line class="line" x1="${equal}" x2="${equal}" y1="${TOP + 8}" y2="${height - MARGIN}" stroke-dasharray="3 3"/>
</svg>
`;
}

/** Returns a function from ratios to pixels, such that the longest bar leaves space for its figure. */
function scaleOf(results: readonly PairResult[]): (ratio: number) => number {
  const longest = Math.max(1.2, ...results.map(({ ratio }) => ratio.mean + ratio.error));
  return (ratio) => (Math.max(0, ratio) / longest) * (WIDTH - BARS - FIGURES - MARGIN);
}

function row({ caseTitle, peer, ratio }: PairResult, top: number, scale: (ratio: number) => number): string {
  const { mean, error } = ratio;
  const middle = top + ROW / 2;
  const [from, to] = [BARS + scale(mean - error), BARS + scale(mean + error)].map((x) => x.toFixed(1));
  return [
    text(MARGIN, middle + 4, caseTitle),
    text(MARGIN + 275, middle + 4, ENTRIES[peer].shortTitle, 'minor'),
    `<rect class="${mean >= 1 ? 'better' : 'worse'}" x="${BARS}" y="${middle - BAR / 2}" width="${scale(mean).toFixed(1)}" height="${BAR}" rx="2"/>`,
    `<line class="error" x1="${from}" x2="${to}" y1="${middle}" y2="${middle}"/>`,
    text(Number(to) + 8, middle + 4, formatEstimate(ratio)),
  ].join('\n');
}

/** The contents of the picture as text. */
function describe(results: readonly PairResult[]): string {
  return results
    .map(
      ({ engine, caseTitle, peer, ratio }) =>
        `${engineTitle[engine]}, ${caseTitle}, against ${ENTRIES[peer].title}: ${formatEstimate(ratio)}.`,
    )
    .join(' ');
}

const text = (x: number, y: number, content: string, kind = '') =>
  `<text x="${x.toFixed(0)}" y="${y.toFixed(0)}"${kind && ` class="${kind}"`}>${escaped(content)}</text>`;

const escaped = (content: string) =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
