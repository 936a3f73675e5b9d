/** The current contents of the TLS files, which are read again when they change or on SIGHUP. */
import { createHash, randomBytes, type X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext, type SecureContextOptions, type TlsOptions } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import {
  certificatesIn,
  revocationListsIn,
  revocationsEnd,
  withoutRevocations,
} from '../../core/certificates.ts';
import { LIMITS } from '../../core/limits.ts';

/** Paths of PEM files. */
interface TlsPaths {
  /** The server's certificate, followed by intermediate certificates, and its key; undefined if the server does not use TLS. */
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** The authorities that issue client certificates. */
  readonly ca: string | undefined;
  /** Certificates that the authorities have revoked. */
  readonly crl: string | undefined;
}

/** A file that cannot be used. */
export class TlsFileError extends Error {}

type Files = Readonly<Record<keyof TlsPaths, Buffer | undefined>>;

/** The contents of the files. */
interface Contents extends Files {
  /** The certificates in `ca`, undefined without this file. */
  readonly authorities: readonly X509Certificate[] | undefined;
  readonly expiries: readonly Expiry[];
}

/** The two ports: the main one is for all clients, and the certified one requires a client certificate. */
export type Port = 'main' | 'certified';

interface TlsFilesOptions {
  readonly paths: TlsPaths;
  /** Called when the files have become unusable. The previous contents stay in use. */
  readonly onFailure: (error: unknown) => void;
  /** Called when new contents are in use. */
  readonly onRenewal: () => void;
  /** Called for a file that has expired when it comes into use, or that expires while it is in use. */
  readonly onExpiry: (expired: Expiry) => void;
  /** Called for an authority without a revocation list, when the files come into use and `crl` has lists of others. */
  readonly onMissingList: (missing: { readonly path: string; readonly authority: string }) => void;
}

/** The expiry of a file. */
export interface Expiry {
  readonly path: string;
  readonly at: Date;
  readonly kind: 'certificate' | 'authority' | 'revocations';
}

export class TlsFiles {
  readonly #options: TlsFilesOptions;
  #contents: Contents;
  /**
   * Keys of session tickets, one for each port: a session of the main port must not be resumed on the certified port, which
   * requires a certificate. They change with the files, so that no session outlives the authorities that its certificate was
   * checked against.
   */
  #ticketKeys = newTicketKeys();
  readonly #look = () => this.reload();
  #expiryTimer: NodeJS.Timeout | undefined;
  /** Expiries before this time have been reported. */
  #expiryCheckedAt = Number.NEGATIVE_INFINITY;
  readonly #listeners: ((isTrustChanged: boolean) => void)[] = [];

  /** @throws TlsFileError with the file that cannot be used. */
  constructor(options: TlsFilesOptions) {
    this.#options = options;
    this.#contents = read(options.paths);
  }

  /** Certificates of the authorities of clients; undefined if none are configured. */
  get authorities(): readonly X509Certificate[] | undefined {
    return this.#contents.authorities;
  }

  /** When the files in use expire. */
  get expiries(): readonly Expiry[] {
    return this.#contents.expiries;
  }

  /** Returns the TLS options of a port. */
  optionsFor(port: Port): TlsOptions {
    const asks = port === 'certified';
    return {
      ...contextOf(this.#contents, asks),
      ticketKeys: this.#ticketKeys[port],
      sessionIdContext: createHash('sha256').update(port).digest('hex').slice(0, 32),
      requestCert: asks,
      rejectUnauthorized: asks,
    };
  }

  /** @param listener called when the options of ports have changed, also with whether other client certificates may be accepted. */
  onChange(listener: (isTrustChanged: boolean) => void): void {
    this.#listeners.push(listener);
  }

  /** Watches the files until {@link close}. */
  watch(): void {
    for (const path of this.#paths()) {
      watchFile(path, { interval: LIMITS.tlsFilePoll, persistent: false }, this.#look);
    }
    this.#expiryTimer = setInterval(() => this.#reportExpired(), LIMITS.tlsExpiryCheck).unref();
    this.#reportNew();
  }

  /** Reads the files again. */
  reload(): void {
    try {
      const contents = read(this.#options.paths);
      const former = this.#contents;
      if (isSame(contents, former, ['cert', 'key', 'ca', 'crl'])) return;
      this.#contents = contents;
      this.#ticketKeys = newTicketKeys();
      const isTrustChanged = !isSame(contents, former, ['ca', 'crl']);
      for (const listener of this.#listeners) listener(isTrustChanged);
      this.#options.onRenewal();
      this.#reportNew();
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  close(): void {
    clearInterval(this.#expiryTimer);
    for (const path of this.#paths()) unwatchFile(path, this.#look);
  }

  /** Reports what is wrong with contents that have come into use. */
  #reportNew(): void {
    this.#expiryCheckedAt = Number.NEGATIVE_INFINITY;
    this.#reportExpired();
    const { crl: path } = this.#options.paths;
    const { authorities, crl } = this.#contents;
    if (path === undefined || !authorities || !crl) return;
    for (const authority of withoutRevocations(authorities, crl)) {
      this.#options.onMissingList({ path, authority });
    }
  }

  #reportExpired(): void {
    const now = Date.now();
    for (const expired of this.#contents.expiries) {
      const at = expired.at.getTime();
      if (at <= now && at > this.#expiryCheckedAt) this.#options.onExpiry(expired);
    }
    this.#expiryCheckedAt = now;
  }

  #paths(): string[] {
    return Object.values(this.#options.paths).filter((path): path is string => path !== undefined);
  }
}

const isSame = (one: Contents, other: Contents, files: readonly (keyof TlsPaths)[]): boolean =>
  files.every((file) => isDeepStrictEqual(one[file], other[file]));

const newTicketKeys = (): Readonly<Record<Port, Buffer>> => ({
  main: randomBytes(48),
  certified: randomBytes(48),
});

const contextOf = ({ cert, key, ca, crl }: Files, asks: boolean): SecureContextOptions => ({
  ...(cert && { cert }),
  ...(key && { key }),
  ...(asks && ca && { ca }),
  ...(asks && crl && { crl: [...revocationListsIn(crl)] }),
  minVersion: 'TLSv1.2',
});

/** Reads all files. @throws TlsFileError if they do not match, for example while they are being replaced one after the other. */
function read(paths: TlsPaths): Contents {
  const files = {
    cert: readFile(paths.cert),
    key: readFile(paths.key),
    ca: readFile(paths.ca),
    crl: readFile(paths.crl),
  };
  try {
    createSecureContext(contextOf(files, true));
  } catch (cause) {
    const named = Object.values(paths).filter((path) => path !== undefined);
    throw new TlsFileError(`${named.join(', ')} cannot be used together`, { cause });
  }
  // OpenSSL accepts a file without certificates, but then certificates from a proxy could be of any authority.
  const authorities = files.ca && certificatesIn(files.ca);
  if (authorities?.length === 0) {
    throw new TlsFileError(`${paths.ca} contains no certificate of an authority`);
  }
  // Without a list, no certificate would be checked for revocation.
  if (files.crl && revocationListsIn(files.crl).length === 0) {
    throw new TlsFileError(`${paths.crl} contains no revocation list`);
  }
  return { ...files, authorities, expiries: expiriesOf(paths, { ...files, authorities }) };
}

function expiriesOf(
  paths: TlsPaths,
  { cert, authorities = [], crl }: Omit<Contents, 'expiries'>,
): readonly Expiry[] {
  const expiries: Expiry[] = [];
  const add = (kind: Expiry['kind'], path: string | undefined, at: Date | undefined) => {
    if (path !== undefined && at) expiries.push({ kind, path, at });
  };
  add('certificate', paths.cert, cert && certificatesIn(cert)[0]?.validToDate);
  for (const { validToDate } of authorities) add('authority', paths.ca, validToDate);
  add('revocations', paths.crl, crl && revocationsEnd(crl));
  return expiries;
}

function readFile(path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new TlsFileError(`${path} cannot be read`, { cause });
  }
}
