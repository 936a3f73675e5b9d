/**
 * Regular expressions that read what clients send take a time that grows with the length of the text, and not with its square: a header of
 * 16 KiB would otherwise occupy the event loop for a second. Each is matched with texts that repeat what it contains.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { expect, test } from 'vitest';
import { ROOT } from '../support/process.ts';
import { threadTime } from '../support/timing.ts';

/** Code that only reads what operators or this repository write, and code for browsers. */
const TRUSTED =
  /^src\/(cli|db\/postgres|observability|http\/routes\/(docs|pages)|rest\/(compile|openapi))\/|^src\/(config|core\/(certificates|environment))\.ts$/;

/**
 * Characters of the texts. All are tried with short ones first. Long ones, half the size of all headers of a request, confirm a suspicion:
 * four times the length takes sixteen times as long in quadratic time.
 */
const SHORT = 2_000;
const LONG = 8_000;
/** Milliseconds by the clock. Quadratic time is ten times as much, and linear time a tenth, so that the machine's speed does not matter. */
const SUSPICIOUS = 0.2;
/** Milliseconds of processor time, so that a busy machine does not matter. */
const TOO_LONG = 10;

const NUL = '\0';

/** The regular expressions of a source text. */
function literalsIn(text: string): RegExp[] {
  const found: RegExp[] = [];
  const search = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node && node.type === 'RegExpLiteral') {
      const { pattern, flags } = node as unknown as { pattern: string; flags: string };
      found.push(new RegExp(pattern, flags));
    } else for (const member of Object.values(node)) search(member);
  };
  search(parseSync(text, { syntax: 'typescript', target: 'es2024' }));
  return found;
}

/** Texts that begin with a part of an expression, repeat one or two of its characters, and do not match at the end. */
function* textsFor({ source }: RegExp, length: number): Generator<string> {
  const words = source.match(/[a-z]{2,}=?/gi) ?? [];
  const characters = [
    ...new Set([...source.replaceAll(/\\[a-z]/gi, ''), ' ', 'a', '0', '"', '\\', ',']),
  ].slice(-16);
  const pumps = characters.flatMap((one) => [one, ...characters.map((other) => one + other)]);
  for (const start of ['', '"', ...new Set(words)]) {
    for (const pump of pumps) {
      const repeated = start + pump.repeat(length / pump.length);
      for (const end of ['', NUL, `"${NUL}`]) yield repeated + end;
    }
  }
}

/** Whether one of several matches takes less than this many milliseconds, by the clock or of processor time. */
const isFast = (expression: RegExp, text: string, now: () => number, milliseconds: number): boolean =>
  [1, 2, 3].some(() => {
    const from = now();
    text.replace(expression, '');
    return now() - from < milliseconds;
  });

const clock = () => performance.now();

/** Returns a text that an expression takes too long for. */
function slowTextFor(expression: RegExp): string | undefined {
  let index = 0;
  for (const text of textsFor(expression, SHORT)) {
    index += 1;
    if (isFast(expression, text, clock, SUSPICIOUS)) continue;
    const long = textsFor(expression, LONG)
      .drop(index - 1)
      .next().value;
    if (long !== undefined && !isFast(expression, long, threadTime, TOO_LONG)) return text.slice(0, 20);
  }
  return undefined;
}

const files = globSync('{src,resolvers}/**/*.ts', { cwd: ROOT }).filter((path) => !TRUSTED.test(path));
const cases = files.flatMap((path) =>
  literalsIn(readFileSync(join(ROOT, path), 'utf8')).map((expression) => [path, expression] as const),
);

test('expressions in quadratic time are found', () => {
  expect(slowTextFor(/[ \t]*(?:"[^"]*")?[ \t]*(,|$)/y)).toBeDefined();
  expect(slowTextFor(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g)).toBeDefined();
  expect(slowTextFor(/^\s*cert="?([^"]*)"?\s*$/i)).toBeDefined();
});

test.each(cases)('%s: %s', (_path, expression) => {
  expect(slowTextFor(expression)).toBeUndefined();
});
