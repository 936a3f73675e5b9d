/** Trusted documents, which are known from the build of the clients. Clients refer to them by id, and others may be refused. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isRecord } from '../../core/json.ts';

export interface TrustedDocument {
  /** Its path in the folder, without the extension: `orders/list`. */
  readonly id: string;
  /** The SHA-256 of its text, in hexadecimal. */
  readonly sha256: string;
  readonly body: string;
}

/** The trusted documents by the identifiers that clients may use. */
export interface TrustedDocuments {
  /** Whether other documents are refused. */
  readonly only: boolean;
  /** The text of a document, by its id, its hash, or its hash as `sha256:…`. */
  textOf(id: string): string | undefined;
  has(text: string): boolean;
}

/** A manifest that cannot be used; the message says why. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

/** Creates the manifest of all `*.graphql` files in a folder and its subfolders, as JSON. */
export function makeManifest(folder: string): string {
  const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name): TrustedDocument => {
      const body = readFileSync(join(folder, name), 'utf8');
      const id = name.slice(0, -'.graphql'.length).split(sep).join('/');
      return { id, sha256: hashOf(body), body };
    });
  return `${JSON.stringify({ documents }, null, 2)}\n`;
}

/** Reads a manifest; `only` refuses other documents. @throws ManifestError, also for a hash that does not match its text. */
export function readManifest(json: string, only: boolean): TrustedDocuments {
  const texts = new Set<string>();
  const byId = new Map<string, string>();
  for (const { id, sha256, body } of documentsIn(json)) {
    if (hashOf(body) !== sha256) throw new ManifestError(`The hash of "${id}" does not match its text.`);
    if (byId.has(id)) throw new ManifestError(`"${id}" occurs twice.`);
    texts.add(body);
    byId.set(id, body).set(sha256, body).set(`sha256:${sha256}`, body);
  }
  return { only, textOf: (id) => byId.get(id), has: (text) => texts.has(text) };
}

function documentsIn(json: string): TrustedDocument[] {
  let manifest: unknown;
  try {
    manifest = JSON.parse(json);
  } catch (cause) {
    throw new ManifestError('The manifest is not JSON.', { cause });
  }
  const documents = isRecord(manifest) && manifest['documents'];
  if (!Array.isArray(documents) || !documents.every(isDocument)) {
    throw new ManifestError('The manifest has no list "documents" of { id, sha256, body }.');
  }
  return documents;
}

const isDocument = (value: unknown): value is TrustedDocument =>
  isRecord(value) && ['id', 'sha256', 'body'].every((name) => typeof value[name] === 'string');

/** The SHA-256 of a document's text in hexadecimal, by which clients may identify it. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
