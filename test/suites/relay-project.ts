/** Compiles queries with relay-compiler, as in the project of a Relay client, with the schema that the `schema` command prints. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { printSchema } from 'graphql';
import {
  type ConcreteRequest,
  Environment,
  type EnvironmentConfig,
  Network,
  type ReaderFragment,
  RecordSource,
  Store,
} from 'relay-runtime';
import { schema } from '../support/api.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

export interface RelayProject {
  readonly request: (name: string) => ConcreteRequest;
  readonly fragment: (name: string) => ReaderFragment;
}

/** The configuration in docs/clients.md. */
const NODE_IDS = { nodeInterfaceIdField: 'nodeId', nodeInterfaceIdVariableName: 'nodeId' };

type DataIdOf = NonNullable<EnvironmentConfig['getDataID']>;

/** The function of docs/clients.md. Relay stores an object without a data id by its position, such as an item of an order. */
const dataIdOf: DataIdOf = (record, typename) =>
  record['nodeId'] ?? (record['id'] == null ? undefined : `${typename}:${record['id']}`);

/** Creates the environment of a client for a server, with a token. */
export const environmentFor = (url: string, token: string): Environment =>
  new Environment({
    getDataID: dataIdOf,
    store: new Store(new RecordSource()),
    network: Network.create(async ({ text }, variables) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      });
      // Relay validates the response itself.
      return (await response.json()) as never;
    }),
  });

/**
 * @param name the module of the documents: the names of its operations and fragments begin with it.
 * @param schemaConfig the setting of relay-compiler.
 * @throws Error with the output of relay-compiler if it fails.
 */
export async function compileRelayProject(
  name: string,
  documents: readonly string[],
  schemaConfig: object = NODE_IDS,
): Promise<RelayProject> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-relay-'));
  const out = join(folder, 'out');
  try {
    await Promise.all([mkdir(join(folder, 'src')), mkdir(out)]);
    await writeFile(join(folder, 'schema.graphql'), printSchema(schema));
    const source = documents.map((document) => `graphql\`${document}\`;\n`).join('');
    await writeFile(join(folder, 'src', `${name}.js`), source);
    const config = {
      ...{ src: './src', schema: './schema.graphql', language: 'javascript', artifactDirectory: './out' },
      ...{ eagerEsModules: false, schemaConfig },
    };
    await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
    // The package exports the path of its binary.
    const compiler: string = require('relay-compiler');
    await run(compiler, ['relay.config.json'], { cwd: folder }).catch(
      (error: { stdout?: string; stderr?: string }) => {
        throw new Error(`relay-compiler: ${error.stdout}${error.stderr}`);
      },
    );
    const names = documents.flatMap(
      (document) => /(?:query|mutation|fragment) (\w+)/.exec(document)?.[1] ?? [],
    );
    const made = new Map(names.map((each) => [each, require(join(out, `${each}.graphql.js`))]));
    return { request: (each) => made.get(each), fragment: (each) => made.get(each) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
