/** docs/versions.md lists exactly the deprecations, with their dates and replacements. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Deprecation } from '../../src/core/deprecation.ts';
import { deprecationsIn } from '../../src/graphql/deprecations.ts';
import { routes, schema } from '../support/api.ts';

const ROOT = new URL('../../', import.meta.url);

const day = (date: Date) => date.toISOString().slice(0, 10);

const row = (name: string, { since, sunset }: Deprecation, successor: string) =>
  `| ${name} | ${day(since)} | ${day(sunset)} | ${successor} |`;

test('docs/versions.md lists the deprecations of the code', () => {
  const redirects = routes.flatMap(({ method, movedFrom, moved }) =>
    movedFrom.flatMap((former) =>
      moved ? [row(`\`${method} ${former}\``, moved, `\`${method} ${moved.successor}\``)] : [],
    ),
  );
  const announced = routes.flatMap(({ method, path, deprecation }) =>
    deprecation ? [row(`\`${method} ${path}\``, deprecation, `\`${method} ${deprecation.successor}\``)] : [],
  );
  const parts = [...deprecationsIn(schema).values()].map((deprecation) =>
    row(`\`${deprecation.coordinate}\` in GraphQL`, deprecation, `\`${deprecation.successor}\``),
  );
  const guide = readFileSync(new URL('docs/versions.md', ROOT), 'utf8');
  const [, table = ''] = /## Current deprecations\n([\s\S]*?)\n## /.exec(guide) ?? [];
  const listed = table.split('\n').filter((line) => line.startsWith('| `'));
  expect(listed.toSorted()).toEqual([...announced, ...redirects, ...parts].toSorted());
});
