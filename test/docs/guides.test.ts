/** Links and names in the guides are valid. `npm run suites` runs their commands. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/observability/prometheus.ts';
import { readMetrics } from '../support/metrics.ts';
import { ROOT } from '../support/process.ts';
import { GUIDES } from './guides.ts';

describe('every guide', () => {
  const files = Object.fromEntries(GUIDES.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]));

  /** The anchor that GitHub generates for a heading. */
  const anchorsOf = (markdown: string) =>
    [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
        .replaceAll(' ', '-'),
    );

  test.each(GUIDES)('the links of %s resolve', (name) => {
    const broken = [...(files[name] ?? '').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].filter(
      ([, target = '', anchor]) => {
        const path = target === '' ? name : join(dirname(name), target);
        const known = path.endsWith('.md') ? files[path] : readFileSync(join(ROOT, path), 'utf8');
        return known === undefined || (anchor !== undefined && !anchorsOf(known).includes(anchor));
      },
    );
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test('names existing scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = Object.values(files).flatMap((text) => [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)]);
    expect(named.length).toBeGreaterThan(10);
    expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });

  test('names commands in a form that works in a clone, where no `portico` is installed', () => {
    const bare = Object.entries(files)
      .filter(([name]) => name !== 'CHANGELOG.md')
      .flatMap(([name, text]) =>
        [...text.matchAll(/^.*(?:`|^(?:\$ )?|\| |&& )portico (?:[a-z-]+|<command>).*$/gm)].map(
          ([line]) => `${name}: ${line}`,
        ),
      );
    expect(bare).toEqual([]);
  });

  test('starts servers without npx, which does not pass SIGTERM on to them', () => {
    const started = Object.values(files).flatMap((text) => text.match(/\S+ \S+ serve\b/g) ?? []);
    expect(started).toContain('node bin/portico.js serve');
    expect(started.filter((command) => command.includes('npx'))).toEqual([]);
  });

  test('names existing metrics', async () => {
    const metrics = readMetrics(await createMetrics().text()).map(({ name }) => name);
    const named = Object.values(files).flatMap((markdown) => markdown.match(/\bportico_\w+[a-z]/g) ?? []);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !metrics.includes(name.replace(/_bucket$/, '')))).toEqual([]);

    const rows = (files['docs/operation.md'] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `portico_'));
    // The table shortens a name to an ellipsis and its end if its beginning is in the same cell.
    const ends = rows.flatMap((row) =>
      [...row.matchAll(/`(?:portico|…)(_\w+)`/g)].map(([, end = '']) => end),
    );
    const own = metrics.filter((name) => name.startsWith('portico_'));
    expect(own.filter((name) => !ends.some((end) => name.endsWith(end)))).toEqual([]);
  });
});
