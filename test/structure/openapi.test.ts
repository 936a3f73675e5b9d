/** The description of the server: it is the one that is committed, and it is sound. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { SCOPES } from '../../src/auth/policy.ts';
import { createOpenApi } from '../../src/rest/index.ts';
import { FILLER } from '../../src/rest/openapi/sample.ts';
import { routes, schema, streamRoutes } from '../support/operations.ts';
import { ROOT } from '../support/process.ts';

const document = createOpenApi(schema, routes, streamRoutes);
const text = `${JSON.stringify(document, null, 2)}\n`;

test('openapi.json is up to date', () => {
  const committed = readFileSync(join(ROOT, 'openapi.json'), 'utf8');
  expect(committed === text, 'run `npm run openapi` and look at what has changed').toBe(true);
});

test('it fits the meta-schema of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(text));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test('its examples are what a newcomer may read: every text has an @example in the SDL', () => {
  expect(text.match(new RegExp(`.*"${FILLER}\\.*".*`, 'g')) ?? []).toEqual([]);
});

/** Rules that a description of this server breaks on purpose, each as a warning. */
const REDOCLY_WARNINGS = {
  'info-license': 'it is described by who runs it',
  'operation-2xx-response': 'a former path answers 301',
  'operation-4xx-response': 'pages of the server itself take nothing that could be wrong',
};
const SPECTRAL_WARNINGS = {
  'info-contact': 'it is described by who runs it',
  'oas3-operation-security-defined': 'since 3.1 every scheme may name what it requires, not OAuth 2.0 alone',
};

test("Redocly's recommended rules find no error", async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: text, absoluteRef: join(ROOT, 'openapi.json'), config });
  expect(
    problems.filter(({ severity, ruleId }) => severity === 'error' || !(ruleId in REDOCLY_WARNINGS)),
  ).toEqual([]);
});

test('OAuth says what each scope permits', () => {
  const { oauth2 } = JSON.parse(text).components.securitySchemes;
  for (const flow of Object.values<{ scopes: object }>(oauth2.flows)) {
    expect(Object.keys(flow.scopes).toSorted()).toEqual(SCOPES.toSorted());
  }
});

test("Spectral's recommended rules find no error", async () => {
  const linter = new spectral.Spectral();
  // The packages were published with different versions of one type.
  linter.setRuleset({ extends: [[oas, 'recommended']] } as never);
  const problems = await linter.run(text);
  expect(problems.filter(({ severity, code }) => severity === ERROR || !(code in SPECTRAL_WARNINGS))).toEqual(
    [],
  );
});

/** What Spectral calls an error, among its numbers of severity. */
const ERROR = 0;
