import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSchema } from '../graphql/schema.ts';
import { createOpenApi, createRoutes } from '../rest/index.ts';

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

const schema = buildSchema();
const document = createOpenApi(schema, createRoutes(schema, path('rest')));
writeFileSync(path('openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
