import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { reportFiles } from '../../bench/peers/report.ts';

const DOCS = new URL('../../docs/', import.meta.url);

test('the page of measurements and its picture match the results', async () => {
  for (const [path, text] of await reportFiles()) {
    expect(await readFile(new URL(path, DOCS), 'utf8'), `${path}: npm run bench -- report`).toBe(text);
  }
});
