/** The SDL files of `schema/`. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DocumentNode, GraphQLError, parse, Source } from 'graphql';

const FOLDER = fileURLToPath(new URL('../../schema/', import.meta.url));

/** An invalid SDL file. The message has its name and line. */
export class SdlError extends Error {
  override readonly name = 'SdlError';

  constructor(cause: GraphQLError) {
    const [{ line } = { line: 1 }] = cause.locations ?? [];
    const file = cause.source?.name;
    super(file === undefined ? cause.message : `${file}:${line}: ${cause.message}`, { cause });
  }
}

/** Parses the SDL files in the order of their names. @throws SdlError. */
export function readSdl(): DocumentNode[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .map((name) => {
      try {
        return parse(new Source(readFileSync(`${FOLDER}${name}`, 'utf8'), `schema/${name}`));
      } catch (error) {
        throw error instanceof GraphQLError ? new SdlError(error) : error;
      }
    });
}
