/** Reads environment variables: parsers for their values, and the problems found. */
import { isIP } from 'node:net';

export const listOf = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the parsed value, or throws an Error whose message completes "NAME …". */
type Parser<T> = (value: string) => T;

/** Reads variables and collects their problems. */
export class Reader {
  readonly problems: string[] = [];
  readonly #names = new Set<string>();
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Returns the value without surrounding white space; empty if it is absent, or is not one line of text. */
  readonly text = (name: string): string => {
    const value = this.#environment[name]?.trim() ?? '';
    if (!CONTROL.test(value)) {
      this.#names.add(name);
      return value;
    }
    // Some variables are read several times. The value is not repeated: it may be a secret.
    if (!this.#names.has(name)) this.problems.push(`${name} must be one line without control characters`);
    this.#names.add(name);
    return '';
  };

  /** Notes a problem of a combination of settings. */
  readonly refuse = (isRefused: boolean, problem: string): void => {
    if (isRefused) this.problems.push(problem);
  };

  /** A sentence for each variable that was not read and is probably a misspelling of one that was read. */
  get misspellings(): string[] {
    return Object.keys(this.#environment)
      .filter((name) => !this.#names.has(name))
      .flatMap((name) => {
        const meant = nearest(name, this.#names);
        return meant === undefined ? [] : [`${name} is not a setting. Was ${meant} meant?`];
      });
  }

  /** Returns the parsed value, or the parsed default if the value is absent or invalid. */
  readonly read = <T>(name: string, fallback: string, parse: Parser<T>): T => {
    const value = this.text(name);
    try {
      return parse(value || fallback);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const shown = error instanceof SecretProblem ? '' : `, not ${JSON.stringify(withoutPassword(value))}`;
      this.problems.push(`${name} ${reason}${shown}`);
      return parse(fallback);
    }
  };
}

/** The problem of a value that is not repeated: the password in a text that is not a valid URL cannot be recognised. */
class SecretProblem extends Error {}

/** Line breaks and other control characters, which would end up in headers of mail, URLs and paths. */
const CONTROL = /\p{Cc}/u;

/** Characters of a setting's name per edit that a misspelling may have: `PGPORT` is not a misspelling of `PORT`. */
const CHARACTERS_PER_EDIT = 5;

/** Returns the known name that was probably meant, or undefined if none is close. The case of letters is no distance. */
const nearest = (name: string, known: ReadonlySet<string>): string | undefined =>
  [...known].find((candidate) => {
    const most = Math.min(2, Math.floor(candidate.length / CHARACTERS_PER_EDIT));
    // The distance is at least the difference in length, which is cheaper: every start compares all variables with all settings.
    return Math.abs(name.length - candidate.length) <= most && edits(name.toUpperCase(), candidate) <= most;
  });

/** The Levenshtein distance. */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 0; i < one.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const replaced = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Removes the passwords from one or several URLs, before the host and in the query, so that they may be shown. */
export function withoutPassword(urls: string): string {
  return (
    urls
      // A user and a password may contain an @ or / that should have been escaped.
      .replace(/(:\/\/[^:]*):(?!\/\/)(?:(?!:\/\/).)*@/g, '$1@')
      .replace(/([?&][^=&#]*(?:password|secret)[^=&#]*=)(?:(?!,\w+:\/\/)[^&])*/gi, '$1')
  );
}

export const anything: Parser<string> = (value) => value;

/** Returns the URL unchanged if it meets a condition. It may contain a password. */
const urlThat =
  (isValid: (value: string) => boolean, problem: string): Parser<string> =>
  (value) => {
    if (!isValid(value)) throw new SecretProblem(problem);
    return value;
  };

export function integer(least: number, most: number): Parser<number> {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return number;
  };
}

/** Makes a setting optional: an absent value becomes the empty string. */
export function optional(parse: Parser<string>): Parser<string> {
  return (value) => (value === '' ? '' : parse(value));
}

/** Makes a setting optional: an absent value becomes undefined. */
const ifGiven =
  <T>(parse: Parser<T>): Parser<T | undefined> =>
  (value) =>
    value === '' ? undefined : parse(value);

export const optionalPort = ifGiven(integer(1, 65_535));

/** An address or a name to listen on. Names may contain underscores in practice. */
export const host: Parser<string> = (value) => {
  if (isIP(value) !== 0 || /^[\w.-]+$/.test(value)) return value;
  throw new Error('must be an IP address or a host name, without a port or brackets');
};

const CERTIFICATE_HEADERS = ['rfc9440', 'nginx', 'xfcc'] as const;

/** The format in which a proxy forwards client certificates. */
export type CertificateHeader = (typeof CERTIFICATE_HEADERS)[number];

export const certificateHeader = ifGiven(oneOf(CERTIFICATE_HEADERS));

const SWITCHES: Readonly<Record<string, boolean>> = { on: true, '1': true, off: false, '0': false };

export const onOff: Parser<boolean> = (value) => {
  const isOn = Object.hasOwn(SWITCHES, value) ? SWITCHES[value] : undefined;
  if (isOn === undefined) throw new Error('must be on or off (or 1 or 0)');
  return isOn;
};

/** A switch, or a port from 2: `1` is the switch. */
export const metricsPlace: Parser<boolean | number> = (value) => {
  if (Object.hasOwn(SWITCHES, value)) return onOff(value);
  if (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535) return Number(value);
  throw new Error('must be on, off or a port number');
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

/**
 * The URL at which clients reach the server, in the form in which URL parsers print it: clients compare it with the issuer of tokens and
 * metadata, and browsers send its origin, in this form only.
 */
export const publicUrl: Parser<string> = (value) => {
  const { origin, pathname, username, password } = new URL(httpUrl(value));
  if (username !== '' || password !== '') {
    throw new Error('must not have a user or a password: every client sees this URL');
  }
  return `${origin}${pathname}`.replace(/\/+$/, '');
};

const EMAIL = /^[^\s@:/]+@[^\s@:/]+$/;

/** An email address or an https URL. */
export const contact: Parser<{ readonly email: string } | { readonly url: string } | undefined> = (value) => {
  if (value === '') return undefined;
  if (EMAIL.test(value)) return { email: value };
  if (URL.parse(value)?.protocol === 'https:') return { url: value };
  throw new Error('must be an email address or an https URL');
};

/** The same as a URI: an email address becomes a `mailto:` URI. */
export const contactUri: Parser<string> = (value) => {
  const parsed = contact(value.replace(/^mailto:/, ''));
  return parsed && 'email' in parsed ? `mailto:${parsed.email}` : value;
};

export const license = ifGiven((value) => {
  if (!/^[\w.+() -]+$/.test(value)) throw new Error('must be an SPDX license expression such as Apache-2.0');
  return { name: value, identifier: value };
});

/** A URL of PostgreSQL. It may name several hosts, or none if its query has the folder of a socket. */
function isPostgresUrl(text: string): boolean {
  const [, hosts] = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(text) ?? [];
  if (hosts === undefined || text.endsWith('://')) return false;
  return hosts.split(',').every((host) => URL.canParse(`postgres://${host}`));
}

export const databaseUrl = urlThat(
  // SQLite's names for databases in memory, and its parameters, would become names of files.
  (value) => /^file:(?!:memory:)[^?]+$/.test(value) || isPostgresUrl(value),
  'must begin with file: or postgres://, and have a path, or valid hosts and ports',
);

/** A list of URLs. Each may name several hosts, so a comma separates two URLs only where a new URL begins. */
export const replicaUrls: Parser<readonly string[]> = (value) => {
  if (value === '') return [];
  const urls = value.split(/\s*,\s*(?=postgres(?:ql)?:\/\/)/);
  if (!urls.every(isPostgresUrl)) {
    throw new SecretProblem(
      'must be a list of URLs that begin with postgres://, and have valid hosts and ports',
    );
  }
  return urls;
};

/** `redis+sentinel://[user:password@]host:port,host:port/name`: the sentinels, and the name of the master to ask them for. */
function isSentinelUrl(text: string): boolean {
  const [, hosts] =
    /^redis\+sentinel:\/\/(?:[^@/]*@)?([\w.-]+(?::\d+)?(?:,[\w.-]+(?::\d+)?)*)\/[\w.-]+$/.exec(text) ?? [];
  return hosts?.split(',').every((host) => URL.canParse(`redis://${host}`)) ?? false;
}

/** `redis://[user:password@]host[:port][/number of the database]`, or `rediss://`. */
function isSingleRedisUrl(text: string): boolean {
  const { protocol = '', hostname = '', pathname = '' } = URL.parse(text) ?? {};
  return /^rediss?:$/.test(protocol) && hostname !== '' && /^\/?\d*$/.test(pathname);
}

/** A % that does not begin an escaped byte, which makes decoding a user or password fail. */
const BROKEN_ESCAPE = /%(?![\da-f]{2})/i;

export const redisUrl = ifGiven(
  urlThat(
    (value) => (isSentinelUrl(value) || isSingleRedisUrl(value)) && !BROKEN_ESCAPE.test(value),
    'must be a URL such as redis://host:6379/0, rediss://host or redis+sentinel://host:26379/name',
  ),
);

export const mailUrl = ifGiven(
  urlThat((value) => {
    const { protocol = '', hostname = '' } = URL.parse(value) ?? {};
    return /^smtps?:$/.test(protocol) && hostname !== '';
  }, 'must be an address such as smtp://user:password@mail.example:587'),
);

export const origins: Parser<readonly string[]> = (value) => {
  const named = value.split(',').map((part) => part.trim());
  if (value === '') return [];
  if (value !== '*' && !named.every((origin) => URL.parse(origin)?.origin === origin)) {
    throw new Error('must be a list of origins such as https://app.example, or *');
  }
  return named;
};

/** An address, or a network as an address with the length of its prefix. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '1', ...others] = text.split('/');
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return /^[1-9]\d*$/.test(prefix) && Number(prefix) <= bits && others.length === 0;
}

export const trustProxy: Parser<number | string> = (value) => {
  if (/^\d$/.test(value)) return Number(value);
  const networks = listOf(value);
  if (networks.length === 0 || !networks.every(isNetwork)) {
    throw new Error('must be the number of proxies in front, or a list of their addresses');
  }
  return value;
};

const EMAIL_ADDRESS = /[^\s@<>",;:]+@(?:[^\s@<>",;:[\]]+|\[[\da-f.:]+\])/i.source;

/** An address with or without a name, which may be in quotes: `Name <address>` (RFC 5322, section 3.4). */
const MAILBOX = new RegExp(
  `^(?:${EMAIL_ADDRESS}|(?:[^@<>";:\\\\]*|"[^"\\\\]*")\\s*<${EMAIL_ADDRESS}>)$`,
  'i',
);

/** A sender of mail. */
export const mailbox: Parser<string> = (value) => {
  if (MAILBOX.test(value)) return value;
  throw new Error('must be one address such as Portico <no-reply@mail.example>');
};
