/** Reads variables of the environment: their forms, and what is wrong with a value. */
import { isIP } from 'node:net';

export const listOf = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export type Environment = Readonly<Record<string, string | undefined>>;

/** Gives the value, or throws an Error whose message completes "NAME …". */
export type Parser<T> = (value: string) => T;

/** Reads variables, and collects what is wrong with them. */
export class Reader {
  readonly problems: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The value without white space around it, empty when it is absent. */
  readonly text = (name: string): string => this.#environment[name]?.trim() ?? '';

  /** The parsed value, or that of the default where it is absent or bad. */
  readonly read = <T>(name: string, fallback: string, parse: Parser<T>): T => {
    const value = this.text(name);
    try {
      return parse(value || fallback);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.problems.push(`${name} ${reason}, not ${JSON.stringify(withoutPassword(value))}`);
      return parse(fallback);
    }
  };
}

/** A URL as it may be shown: a password in it is left out. */
export function withoutPassword(url: string): string {
  return url.replace(/(:\/\/[^:@/]*):[^@]*@/, '$1@');
}

export const anything: Parser<string> = (value) => value;

export function integer(least: number, most: number): Parser<number> {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

/** For a setting that may be left out: the empty text then. */
export function optional(parse: Parser<string>): Parser<string> {
  return (value) => (value === '' ? '' : parse(value));
}

export const metricsPlace: Parser<'on' | 'off' | number> = (value) => {
  if (value === 'on' || value === 'off') return value;
  if (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535) return Number(value);
  throw new Error('must be on, off or the number of a port');
};

export const ratio: Parser<number> = (value) => {
  const number = Number(value);
  if (!/^[01](\.\d+)?$/.test(value) || number > 1) throw new Error('must be a number from 0 to 1');
  return number;
};

export function oneOf<const T extends string>(values: readonly T[]): Parser<T> {
  return (value) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  };
}

export const httpUrl: Parser<string> = (value) => {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new Error('must be an http or https URL without query or fragment');
  }
  return value.replace(/\/+$/, '');
};

export const databaseUrl: Parser<string> = (value) => {
  if (!/^file:.+/.test(value) && !/^postgres(ql)?:\/\/.+/.test(value)) {
    throw new Error('must begin with file: or postgres://');
  }
  return value;
};

export const redisUrl: Parser<string | undefined> = (value) => {
  if (value === '') return undefined;
  if (!/^rediss?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw new Error('must begin with redis:// or rediss://');
  return value;
};

export const origins: Parser<readonly string[]> = (value) => {
  const named = value.split(',').map((part) => part.trim());
  if (value === '') return [];
  if (value !== '*' && !named.every((origin) => URL.parse(origin)?.origin === origin)) {
    throw new Error('must be a list of origins such as https://app.example, or *');
  }
  return named;
};

export const trustProxy: Parser<number | string> = (value) => {
  if (/^\d$/.test(value)) return Number(value);
  const addresses = value.split(',').map((part) => part.trim().replace(/\/\d{1,3}$/, ''));
  if (!addresses.every((address) => isIP(address))) {
    throw new Error('must be the number of proxies in front, or a list of their addresses');
  }
  return value;
};
