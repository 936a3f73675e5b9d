/** A certificate authority, and requests over TLS with or without a client certificate. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An issued certificate and its key: the paths and contents of the PEM files. */
export interface Issued {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
  /** The SHA-256 fingerprint in the format of openssl. */
  readonly fingerprint: string;
}

interface IssueOptions {
  /** Subject alternative names, such as `DNS:localhost`. */
  readonly names: string;
  /** Whether the certificate expired yesterday. */
  readonly isExpired?: boolean;
}

const CONFIG = (directory: string) => `
[ca]
default_ca = own
[own]
dir = ${directory}
database = ${directory}/index.txt
serial = ${directory}/serial
new_certs_dir = ${directory}
certificate = ${directory}/ca.pem
private_key = ${directory}/ca.key
default_md = sha256
default_days = 30
policy = any
unique_subject = no
[any]
commonName = supplied
`;

const EC_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Formats a time, in days from now, for openssl: `20261122120000Z`. */
const openSslTime = (days: number) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\..*/g, '')}Z`;

/** A certificate authority that uses openssl, in a separate directory. */
export class Authority {
  readonly #directory: string;
  #issued = 0;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Creates an authority. @param directory an empty directory. @param name a name that no other trusted authority has. */
  static async found(directory: string, name = 'Test authority'): Promise<Authority> {
    const at = (file: string) => join(directory, file);
    await writeFile(at('ca.cnf'), CONFIG(directory));
    await writeFile(at('index.txt'), '');
    await writeFile(at('serial'), '1000');
    await run('openssl', [
      ...['req', '-x509', ...EC_KEY, '-keyout', at('ca.key'), '-out', at('ca.pem')],
      ...['-subj', `/CN=${name}`, '-days', '30'],
    ]);
    return new Authority(directory);
  }

  get caFile(): string {
    return join(this.#directory, 'ca.pem');
  }

  get crlFile(): string {
    return join(this.#directory, 'crl.pem');
  }

  async ca(): Promise<string> {
    return readFile(this.caFile, 'utf8');
  }

  async issue({ names, isExpired = false }: IssueOptions): Promise<Issued> {
    this.#issued += 1;
    const base = join(this.#directory, `issued-${this.#issued}`);
    const [certFile, keyFile] = [`${base}.pem`, `${base}.key`];
    await run('openssl', [
      'req',
      '-new',
      ...EC_KEY,
      '-keyout',
      keyFile,
      '-out',
      `${base}.csr`,
      '-subj',
      '/CN=of-no-account',
    ]);
    await writeFile(`${base}.ext`, `subjectAltName = ${names}\n`);
    const end = isExpired ? ['-startdate', openSslTime(-10), '-enddate', openSslTime(-1)] : [];
    await run('openssl', [
      ...['ca', '-batch', '-notext', '-config', join(this.#directory, 'ca.cnf'), '-in', `${base}.csr`],
      ...['-extfile', `${base}.ext`, '-out', certFile, ...end],
    ]);
    const { stdout } = await run('openssl', ['x509', '-in', certFile, '-noout', '-fingerprint', '-sha256']);
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
    return { certFile, keyFile, cert, key, fingerprint: stdout.trim().split('=')[1] ?? '' };
  }

  /** Revokes a certificate, if given, and writes the revocation list, which is valid for this number of seconds. */
  async publishRevoked(revoked?: Issued, seconds = 30 * 86_400): Promise<void> {
    const config = ['-config', join(this.#directory, 'ca.cnf')];
    if (revoked) await run('openssl', ['ca', ...config, '-revoke', revoked.certFile]);
    const until = ['-crl_nextupdate', openSslTime(seconds / 86_400)];
    await run('openssl', ['ca', ...config, '-gencrl', ...until, '-out', this.crlFile]);
  }
}

export interface TlsRequest {
  readonly port: number;
  readonly path: string;
  readonly ca: string;
  readonly shown?: { readonly cert: string; readonly key: string } | undefined;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Keeps connections and TLS sessions; without it, each request opens a new connection. */
  readonly agent?: Agent;
}

interface TlsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly isResumed: boolean;
}

/** Sends a request. @throws the error of the connection, such as a failed handshake. */
export async function openTls({ shown, body, agent, ...options }: TlsRequest): Promise<IncomingMessage> {
  const sent = request({
    host: '127.0.0.1',
    servername: 'localhost',
    ...options,
    ...shown,
    agent: agent ?? false,
  });
  sent.end(body);
  return (await once(sent, 'response'))[0];
}

/** Sends a request and reads the whole response. */
export async function sendTls(options: TlsRequest): Promise<TlsAnswer> {
  const response = await openTls(options);
  const { socket, statusCode: status = 0, headers } = response;
  const isResumed = socket instanceof TLSSocket && socket.isSessionReused();
  return { status, headers, text: await text(response), isResumed };
}
