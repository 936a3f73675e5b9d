import { survivesReading } from './decimal.ts';
import { type ErrorDetail, isFull } from './errors.ts';
import { LIMITS } from './limits.ts';

/** What `JSON.parse` takes in silence although two readers could understand two things by it. */
export interface Ambiguities {
  /** Members that an object has twice, of which one would be lost. */
  readonly repeated: readonly ErrorDetail[];
  /** Numbers that would be read as other ones. */
  readonly inexact: readonly ErrorDetail[];
}

/**
 * Finds what keeps a JSON text from being I-JSON (RFC 7493): members that repeat (section 2.3) and numbers that do not
 * fit 64 bits (section 2.2). A sum of money that is read otherwise than it was written must not be charged.
 *
 * @param text valid JSON: it has been parsed. Here it is only walked through, once.
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

/** Whether a text that is JSON says something twice, or in a number that would be read as another one. What is no JSON says nothing. */
export function isAmbiguous(text: string): boolean {
  try {
    JSON.parse(text);
  } catch {
    return false;
  }
  const { repeated, inexact } = ambiguitiesIn(text);
  return repeated.length + inexact.length > 0;
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

/** An object or list around the place that has been reached. */
interface Level {
  /** The names that an object has had so far; undefined in a list. */
  readonly names: Set<string> | undefined;
  /** The member or the index that has been reached. */
  step: string | number;
  /** Whether what follows is the name of a member. */
  naming: boolean;
}

class Walk implements Ambiguities {
  readonly repeated: ErrorDetail[] = [];
  readonly inexact: ErrorDetail[] = [];
  readonly #levels: Level[] = [];

  get isFull(): boolean {
    return isFull(this.repeated) || isFull(this.inexact);
  }

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

  /** A string from its opening quote up to `end`, behind the closing one. */
  text(text: string, start: number, end: number): void {
    const level = this.#levels.at(-1);
    if (!level?.naming || !level.names) return;
    const raw = text.slice(start + 1, end - 1);
    // Two spellings of one name are one name.
    const name = raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw;
    level.step = name;
    if (level.names.has(name)) this.repeated.push({ path: this.#path(), message: 'is there twice' });
    else level.names.add(name);
  }

  number(text: string): void {
    if (survivesReading(text)) return;
    this.inexact.push({ path: this.#path(), message: 'is a number that cannot be read exactly' });
  }

  /** Truncated, so that a small body cannot cause a large response. */
  #path(): string {
    let path = '';
    for (const [index, { step }] of this.#levels.entries()) {
      path += index === 0 ? step : `.${step}`;
      if (path.length > LIMITS.errorPathLength) return `${path.slice(0, LIMITS.errorPathLength)}…`;
    }
    return path;
  }
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

/** An odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  // Digits, signs, the point and the letter of the exponent; what follows a number is none of these.
  while (/[\d.eE+-]/.test(text.charAt(end))) end += 1;
  return end;
}
