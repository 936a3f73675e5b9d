/** Problems of SDL files. */
import { GraphQLError, parse, Source } from 'graphql';
import { expect, test } from 'vitest';
import { readSdl, SdlError } from '../../src/graphql/sdl.ts';

function problemIn(text: string): unknown {
  try {
    return parse(new Source(text, 'schema/thing.graphql'));
  } catch (error) {
    return error;
  }
}

test('a problem has its file and line', () => {
  const problem = problemIn('type Thing {\n  name String\n}');
  if (!(problem instanceof GraphQLError)) throw problem;
  expect(new SdlError(problem).message).toBe(
    'schema/thing.graphql:2: Syntax Error: Expected ":", found Name "String".',
  );
});

test('every type has its file', () => {
  const files = readSdl().map(({ loc }) => loc?.source.name);
  expect(files).toContain('schema/base.graphql');
});
