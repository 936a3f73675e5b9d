/** `npm run trusted-documents -- <folder> [file]`: writes the manifest of a folder of operation documents. */
import { writeFileSync } from 'node:fs';
import { type DocumentLimits, loadDocumentLimits } from '../config.ts';
import { ApiError } from '../core/errors.ts';
import { reasonOf } from '../core/failure.ts';
import { buildSchema } from '../graphql/schema.ts';
import { createAdmission } from '../pipeline/admission/documents.ts';
import { makeManifest, readManifest, type TrustedDocument } from '../pipeline/admission/manifest.ts';

/**
 * Makes a manifest and checks that a server would accept each of its documents.
 *
 * @param limits the server's limits of documents.
 * @returns the manifest as JSON.
 * @throws Error for the first document that no server would run, or without any document.
 */
export function trustedDocuments(folder: string, limits: DocumentLimits): string {
  const manifest = makeManifest(folder);
  readManifest(manifest, true);
  const { documents } = JSON.parse(manifest) as { documents: TrustedDocument[] };
  // A server with such a manifest would refuse every document.
  if (documents.length === 0) throw new Error(`${folder} has no operation documents (*.graphql).`);
  const admit = createAdmission({ ...limits, schema: buildSchema(), production: false });
  for (const { id, body } of documents) {
    try {
      admit(body);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      throw new Error(`${id}.graphql: ${cause.message}`, { cause });
    }
  }
  return manifest;
}

if (import.meta.main) {
  const [folder, file] = process.argv.slice(2);
  try {
    if (folder === undefined)
      throw new Error('Name the folder: npm run trusted-documents -- <folder> [file]');
    // The build of a client has no key file, and its other variables are not settings of a server.
    const manifest = trustedDocuments(folder, loadDocumentLimits());
    if (file === undefined) process.stdout.write(manifest);
    else writeFileSync(file, manifest);
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  }
}
