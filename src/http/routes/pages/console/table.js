/** A table of any length. Only visible rows are in the page, so that it scrolls as fast with 10,000 rows as with ten. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.js';
import { to } from './router.js';
import { Problem, Time } from './ui.js';

const narrow = matchMedia('(max-width: 45rem)');

/** The height of a row in rem, as in console.css: it grows with the text size of the browser. */
const HEIGHT = 2.75;
const HEIGHT_NARROW = 4;
/** Number of rows rendered above and below the visible ones. */
const SPARE = 12;
/** Number of rows before the end at which the next page is read. */
const AHEAD = 60;
const SKELETONS = 8;

/** Returns the height of a row in pixels. */
function useRowHeight() {
  const [rem] = useState(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const update = () => setNarrow(narrow.matches);
    narrow.addEventListener('change', update);
    return () => narrow.removeEventListener('change', update);
  }, []);
  return rem * (isNarrow ? HEIGHT_NARROW : HEIGHT);
}

/** Returns the indices of the first and last row to render, which follow the scroll position. All rows are printed. */
function useVisible(body, height, length) {
  const [range, setRange] = useState([0, 2 * SPARE]);
  useLayoutEffect(() => {
    let frame;
    let isPrinted = false;
    const update = () => {
      frame = undefined;
      if (isPrinted) return setRange([0, length]);
      const top = -(body.current?.getBoundingClientRect().top ?? 0);
      const first = Math.max(0, Math.floor(top / height) - SPARE);
      const last = Math.min(length, Math.ceil((top + innerHeight) / height) + SPARE);
      setRange((before) =>
        before[0] === first && before[1] === last ? before : [first, Math.max(first, last)],
      );
    };
    const later = () => {
      frame ??= requestAnimationFrame(update);
    };
    const print = ({ type }) => {
      isPrinted = type === 'beforeprint';
      update();
    };
    update();
    addEventListener('scroll', later, { passive: true });
    addEventListener('resize', later, { passive: true });
    addEventListener('beforeprint', print);
    addEventListener('afterprint', print);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', later);
      removeEventListener('resize', later);
      removeEventListener('beforeprint', print);
      removeEventListener('afterprint', print);
    };
  }, [height, length]);
  return range;
}

/**
 * Scrolls by the height of rows that appear or disappear above what the person looks at: the row with the focus, or the first one in the
 * window of a list that begins above it. A list at its beginning shows new rows.
 *
 * @returns by how many places it has moved, by which the rendered rows move too: an element would lose the focus with its row.
 */
function useAnchor(body, { key, rows }, height) {
  const latest = useRef({ rows: [], height });
  const former = latest.current;
  const isOther = former.rows !== rows || former.height !== height;
  const [before, now] =
    body.current && former.key === key && isOther ? movedIn(body.current, former, rows) : [0, 0];
  useLayoutEffect(() => {
    latest.current = { key, rows, height };
    scrollBy(0, now * height - before * former.height);
  }, [key, rows, height]);
  return now - before;
}

/** Returns the former and the present index of the row that the person looks at; zeros if there is none. */
function movedIn(body, former, rows) {
  const places = new Map(rows.map(({ id }, index) => [id, index]));
  const isShown = (index) => places.has(former.rows[index]?.id);
  const focused = body.querySelector('.row:focus-within')?.dataset.index;
  const first = Math.ceil(-body.getBoundingClientRect().top / former.height);
  const index = isShown(focused)
    ? Number(focused)
    : first > 0
      ? former.rows.findIndex((_, at) => at >= first && isShown(at))
      : -1;
  return index < 0 ? [0, 0] : [index, places.get(former.rows[index].id)];
}

/**
 * Returns element keys for rows, by id. A new row reuses the element of a removed one, since changing texts is cheaper for a
 * browser than creating an element and collecting the old one. An element with the focus is removed with its row.
 */
function useElements(rows) {
  const latest = useRef(new Map());
  const former = latest.current;
  const ids = new Set(rows.map(({ id }) => id));
  const focused = document.activeElement?.closest('[data-element]')?.dataset.element;
  const free = [...former]
    .filter(([id, element]) => !ids.has(id) && String(element) !== focused)
    .map(([, element]) => element);
  let unused = Math.max(-1, ...former.values()) + 1;
  latest.current = new Map(rows.map(({ id }) => [id, former.get(id) ?? free.shift() ?? unused++]));
  return latest.current;
}

/** Moves the focus between rows by arrow keys, and scrolls to rows that are not rendered yet. */
function moveFocus(event, body, height, length) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.target.closest('[data-index]');
  if (!step || !row) return;
  event.preventDefault();
  const index = Math.min(length - 1, Math.max(0, Number(row.dataset.index) + step));
  const edge = body.current.getBoundingClientRect().top + index * height;
  if (edge < 2 * height) scrollBy(0, edge - 2 * height);
  else if (edge + 2 * height > innerHeight) scrollBy(0, edge + 2 * height - innerHeight);
  requestAnimationFrame(() =>
    body.current?.querySelector(`[data-index="${index}"] a`)?.focus({ preventScroll: true }),
  );
}

/** A column of {@link Table} with a time. @param name the member of a row that has it. */
export const timeColumn = (name, title, place) => ({
  name,
  title,
  of: ({ [name]: at }) => html`<${Time} at=${at} />`,
  isNumber: true,
  place,
});

/**
 * @param columns `{name, title, of(row), width, isNumber, place}`: `place` is the position of the cell on narrow screens (`a`, `b`,
 *   `c`, `d`: top and bottom on the left, top and bottom on the right), which omit cells without one. The first column is the link.
 *   A component with state needs the id of its row as key, since rows reuse elements.
 * @param list the result of `useList`.
 * @param href returns the page of a row.
 */
export function Table({ label, columns, list, href, empty }) {
  const height = useRowHeight();
  const body = useRef();
  const { rows, isLoading, isComplete, error, end } = list;
  const moved = useAnchor(body, list, height);
  const [first, last] = useVisible(body, height, rows.length).map((index) => Math.max(0, index + moved));
  const visible = rows.slice(first, last);
  const elements = useElements(visible);
  useEffect(() => {
    if (last > rows.length - AHEAD && !isComplete) list.more();
  }, [last, rows.length, isComplete, end, error]);
  if (error && rows.length === 0) return html`<${Problem} error=${error} again=${list.retry} />`;
  if (!isLoading && rows.length === 0 && isComplete) return empty;
  const template = { '--columns': columns.map(({ width = '1fr' }) => `minmax(0, ${width})`).join(' ') };
  return html`
    <div class="table" role="table" aria-label=${label} aria-rowcount=${isComplete ? rows.length + 1 : -1} aria-busy=${isLoading}>
      <div role="rowgroup" class="table-head">
        <div role="row" aria-rowindex="1" style=${template}>
          ${columns.map(({ name, title, isNumber }) => html`<span role="columnheader" key=${name} class=${isNumber ? 'number' : ''}>${title}</span>`)}
        </div>
      </div>
      <div role="rowgroup" class="table-body" ref=${body}
        style=${{ '--height': `${(isLoading ? SKELETONS : rows.length) * height}px` }}
        onKeyDown=${(event) => moveFocus(event, body, height, rows.length)}>
        ${
          isLoading
            ? Array.from(
                { length: SKELETONS },
                (_, index) =>
                  html`<${SkeletonRow} key=${index} ...${{ index, height, columns, template }} />`,
              )
            : visible.map((row, offset) => {
                const element = elements.get(row.id);
                return html`<${Row} key=${element} ...${{ element, row, index: first + offset, height, columns, template, href }} />`;
              })
        }
      </div>
      ${error && html`<${Problem} error=${error} again=${list.retry} />`}
    </div>
  `;
}

const Row = ({ element, row, index, height, columns, template, href }) => html`
  <div role="row" class="row ${row.isNew ? 'new' : ''}" aria-rowindex=${index + 2} data-index=${index} data-element=${element}
    style=${{ ...template, '--top': `${index * height}px` }}>
    ${columns.map(({ name, of, place, isNumber }, column) => {
      const value = of(row);
      const content = column === 0 && href ? html`<a href=${to(href(row))}>${value}</a>` : value;
      return html`<span role="cell" key=${name} class="cell ${isNumber ? 'number' : ''}" data-place=${place}>${content}</span>`;
    })}
  </div>
`;

const SkeletonRow = ({ index, height, columns, template }) => html`
  <div role="row" class="row" aria-hidden="true" style=${{ ...template, '--top': `${index * height}px` }}>
    ${columns.map(({ name, place }) => html`<span role="cell" key=${name} class="cell" data-place=${place}><span class="skeleton" /></span>`)}
  </div>
`;
