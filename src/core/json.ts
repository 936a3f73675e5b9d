/** JSON: the members of its values, and texts that two parsers could read differently. */
import { isExactNumber } from './decimal.ts';
import { type ErrorDetail, isFull, shortPath } from './errors.ts';
import { LIMITS } from './limits.ts';

/** The member of a value of JSON with this name, if the value has it. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** Whether a value of JSON is an object: neither null nor a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Constructs that `JSON.parse` accepts silently although two parsers could read them differently. */
type Ambiguities = Readonly<Pick<Walk, 'repeated' | 'inexact'>>;

/**
 * Finds violations of I-JSON (RFC 7493, sections 2.2 and 2.3) in valid JSON: duplicate members, and numbers that do not fit 64 bits. An amount
 * of money that would be read differently than it was written must not be charged.
 */
export function ambiguitiesIn(text: string): Ambiguities {
  const walk = new Walk();
  let at = 0;
  while (at < text.length && !walk.isFull) {
    const code = text.charCodeAt(at);
    let end = at + 1;
    if (code === QUOTE) {
      end = endOfString(text, at);
      walk.text(text, at, end);
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      end = endOfNumber(text, at);
      walk.number(text.slice(at, end));
    } else walk.mark(code);
    at = end;
  }
  return walk;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** An object or list that encloses the current position. */
interface Level {
  /** The member names of an object seen so far; undefined in a list. */
  readonly names: Set<string> | undefined;
  /** The current member or index. */
  step: string | number;
  /** Whether a member name follows. */
  naming: boolean;
}

class Walk {
  /** Duplicate members of an object, of which one would be lost. */
  readonly repeated: ErrorDetail[] = [];
  /** Numbers that parsing would change. */
  readonly inexact: ErrorDetail[] = [];
  /** Whether a response can report no more of them. */
  isFull = false;
  readonly #levels: Level[] = [];

  mark(code: number): void {
    const level = this.#levels.at(-1);
    switch (code) {
      case OPEN_OBJECT:
        this.#levels.push({ names: new Set(), step: '', naming: true });
        break;
      case OPEN_LIST:
        this.#levels.push({ names: undefined, step: 0, naming: false });
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.#levels.pop();
        break;
      case COLON:
        if (level) level.naming = false;
        break;
      case COMMA:
        if (typeof level?.step === 'number') level.step += 1;
        else if (level) level.naming = true;
        break;
    }
  }

  /** Visits a string from its opening quote to `end`, the position after the closing quote. */
  text(text: string, start: number, end: number): void {
    const level = this.#levels.at(-1);
    if (!level?.naming || !level.names) return;
    const raw = text.slice(start + 1, end - 1);
    // Names are equal even if they are escaped differently.
    const name = raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
    level.step = name;
    if (level.names.has(name)) this.#note(this.repeated, 'is given twice');
    else level.names.add(name);
  }

  number(text: string): void {
    if (!isExactNumber(text)) this.#note(this.inexact, 'is a number that cannot be represented exactly');
  }

  #note(details: ErrorDetail[], message: string): void {
    details.push({ path: this.#path(), message });
    this.isFull ||= isFull(details);
  }

  /** Returns the path of the current position, shortened. */
  #path(): string {
    let path = '';
    for (const [index, { step }] of this.#levels.entries()) {
      path += index === 0 ? step : `.${step}`;
      if (path.length > LIMITS.errorPathLength) return shortPath(path);
    }
    return path;
  }
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/** Whether an odd number of backslashes precedes the position. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  // Digits, signs, the point and the exponent's letter. None of them can follow a number.
  while (/[\d.eE+-]/.test(text.charAt(end))) end += 1;
  return end;
}
