/**
 * As much of TypeScript's grammar as it takes to see what a file imports: comments, texts and regular expressions are
 * told from code, so that an import in an example or in a message is not taken for one.
 */

export interface Source {
  /** The code without its comments, and with each text replaced by its number in `texts`, in quotes. */
  readonly code: string;
  /** What stands in quotes and backticks. `${…}` of a template stays as `${}`, and what it holds is code. */
  readonly texts: readonly string[];
}

export interface Import {
  /** As written: `./x.ts` or `fastify`. Undefined when it is only known at run time. */
  readonly target: string | undefined;
  /**
   * `import type` and `export type`. `import { type A }` is not among them: Node takes out the name and leaves the
   * import, so that the file is loaded.
   */
  readonly typeOnly: boolean;
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const QUOTED = /'((?:[^'\\\n]|\\[\s\S])*)'|"((?:[^"\\\n]|\\[\s\S])*)"/y;
const REGULAR_EXPRESSION = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const WORD = /[\w$]+/y;

/** Words after which a slash begins a regular expression, as it does after an operator. */
const BEFORE_EXPRESSION = new Set(['return', 'typeof', 'case', 'in', 'of', 'await', 'yield', 'else', 'do']);

/** @throws an Error when a quote or a brace is not closed. */
export function readSource(source: string): Source {
  return new Reader(source).read();
}

class Reader {
  readonly #source: string;
  #at = 0;
  #code = '';
  /** The last piece of code that is not blank. */
  #last = '';
  readonly #texts: string[] = [];
  /** Of each template around this place: how many braces are open inside of its `${`, and its number. */
  readonly #templates: { braces: number; index: number }[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  read(): Source {
    while (this.#at < this.#source.length) this.#next();
    if (this.#templates.length > 0) throw new Error('A template is not closed.');
    return { code: this.#code, texts: this.#texts };
  }

  #next(): void {
    if (this.#take(COMMENT)) {
      this.#code += ' ';
      return;
    }
    const quoted = this.#take(QUOTED);
    if (quoted) {
      this.#text(quoted[1] ?? quoted[2] ?? '');
      return;
    }
    if (this.#beginsExpression() && this.#take(REGULAR_EXPRESSION)) {
      this.#emit('/./');
      return;
    }
    const word = this.#take(WORD);
    if (word) {
      this.#emit(word[0]);
      return;
    }
    this.#sign(this.#source[this.#at] ?? '');
  }

  #sign(sign: string): void {
    this.#at += 1;
    const template = this.#templates.at(-1);
    if (sign === '`') {
      this.#templates.push({ braces: 0, index: this.#text('') });
      this.#template();
    } else if (sign === '}' && template?.braces === 0) {
      this.#emit(')');
      this.#template();
    } else if (sign === "'" || sign === '"') {
      throw new Error(`A quote is not closed: ${this.#source.slice(this.#at, this.#at + 40)}`);
    } else {
      if (template && sign === '{') template.braces += 1;
      if (template && sign === '}') template.braces -= 1;
      this.#emit(sign);
    }
  }

  /** Goes on in the text of the innermost template, up to its end or to code inside of it. */
  #template(): void {
    const template = this.#templates.at(-1);
    const text = this.#take(TEMPLATE_TEXT)?.[0] ?? '';
    if (!template) return;
    const isCode = this.#source.startsWith('${', this.#at);
    this.#texts[template.index] += isCode ? `${text}\${}` : text;
    if (isCode) {
      this.#at += 2;
      this.#emit('(');
    } else if (this.#source[this.#at] === '`') {
      this.#at += 1;
      this.#templates.pop();
    }
  }

  #beginsExpression(): boolean {
    return this.#last === '' || BEFORE_EXPRESSION.has(this.#last) || !/[\w$)\]}"]$/.test(this.#last);
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }

  #text(text: string): number {
    const index = this.#texts.push(text) - 1;
    this.#emit(`"${index}"`);
    return index;
  }

  #emit(code: string): void {
    this.#code += code;
    if (code.trim() !== '') this.#last = code;
  }
}

const STATIC = /\b(?:import|export)\s+(type\s+(?!from\b|,))?(?:[\w$\s{},*]+?\s+from\s*)?"(\d+)"/g;
const DYNAMIC = /\b(?:import|require)\s*\(\s*(?:"(\d+)"\s*[,)])?/g;

/** Everything that a file imports or exports from elsewhere. */
export function importsOf({ code, texts }: Source): Import[] {
  const fixed = [...code.matchAll(STATIC)].map(([, type, index]) => ({
    target: texts[Number(index)],
    typeOnly: type !== undefined,
  }));
  const dynamic = [...code.matchAll(DYNAMIC)].map(([, index]) => ({
    target: index === undefined ? undefined : texts[Number(index)],
    typeOnly: false,
  }));
  return [...fixed, ...dynamic];
}
