import { statSync } from 'node:fs';
import { access, constants, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { KeyFileError, readKeyFile } from '../../auth/key-file.ts';
import { reasonOf } from '../../core/failure.ts';
import { exists } from '../../core/private-files.ts';
import { readManifest } from '../../pipeline/admission/manifest.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';

const READABLE_BY_OTHERS = 0o007;
const READABLE_BY_GROUP = 0o070;

/** Returns who may read a file besides its owner; undefined for no one, or if the file does not exist. */
export function otherReadersOf(
  file: string,
): { readonly name: string; readonly severity: 'problem' | 'warning' } | undefined {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & READABLE_BY_OTHERS) !== 0) return { name: 'every user of this machine', severity: 'problem' };
  if ((mode & READABLE_BY_GROUP) !== 0) return { name: 'the group of its owner', severity: 'warning' };
  return undefined;
}

/** Checks the file with the keys that sign tokens. */
export const checkKeys: Check = async ({ config: { auth, production } }) => {
  const keys = findingsOf('keys');
  const file = auth.keysFile;
  try {
    const [signing] = await readKeyFile(file);
    const who = otherReadersOf(file);
    if (!who) return keys.ok(`${file} signs with the key ${signing?.kid}`);
    const rotation =
      who.severity === 'problem' ? ', and "npx portico keys rotate", since others may have read it' : '';
    const advice = `Run "chmod 600 ${file}" as its owner${rotation}.`;
    return keys[who.severity](`${file} can be read by ${who.name}`, advice);
  } catch (error) {
    const isMissing = error instanceof KeyFileError && error.isMissing;
    if (isMissing && !production) return creationOf(file);
    const advice = isMissing
      ? 'Run "npx portico keys create", or correct AUTH_KEYS_FILE.'
      : 'Give the user of the server read access, or restore your copy of the file.';
    return keys.problem(reasonOf(error), advice);
  }
};

/** Whether a start can create a file: the first of its folders that exists must be writable. */
async function creationOf(file: string): Promise<Finding> {
  const keys = findingsOf('keys');
  let folder = dirname(file);
  try {
    while (!exists(folder)) folder = dirname(folder);
    await access(folder, constants.W_OK);
    return keys.ok(`${file} will be created by the first start`);
  } catch (error) {
    return keys.problem(
      `${file} cannot be created: ${reasonOf(error)}`,
      `Give the user of the server write access to ${folder}, or correct AUTH_KEYS_FILE.`,
    );
  }
}

/** Checks the manifest of trusted documents, if it is used. */
export const checkDocuments: Check = async ({ config: { documents } }) => {
  if (documents.trusted === 'off') return [];
  const { ok, problem } = findingsOf('documents');
  try {
    readManifest(await readFile(documents.file, 'utf8'), documents.trusted === 'only');
    return ok(`${documents.file} can be used`);
  } catch (error) {
    return problem(
      `${documents.file} cannot be used: ${reasonOf(error)}`,
      'Write it with "npm run trusted-documents", or correct TRUSTED_DOCUMENTS_FILE.',
    );
  }
};
