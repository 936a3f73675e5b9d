import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  extendSchema,
  GraphQLError,
  type GraphQLSchema,
  getArgumentValues,
  getLocation,
  Kind,
  type OperationDefinitionNode,
  parse,
  Source,
  separateOperations,
  validate,
} from 'graphql';

const DIRECTIVES = readFileSync(new URL('./directives.graphql', import.meta.url), 'utf8');

/** A named operation of a document file, with the fragments that it uses. */
export interface OperationDocument {
  readonly name: string;
  readonly definition: OperationDefinitionNode;
  readonly document: DocumentNode;
}

/** The validated operation documents of a folder. */
export interface Documents {
  /** The domain's schema with the directives that make routes. */
  readonly schema: GraphQLSchema;
  readonly operations: readonly OperationDocument[];
}

/** A document that cannot become a route. The message has its file and line, and how to fix it. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  /** @param at a file and line, or a node of the document. */
  constructor(at: string | ASTNode, message: string, options?: ErrorOptions) {
    super(`${typeof at === 'string' ? at : sourceLine(at)}: ${message}`, options);
  }
}

/** Returns the file and line of a node, for messages. */
export function sourceLine(node: ASTNode): string {
  if (!node.loc) return 'an operation document';
  const { line } = getLocation(node.loc.source, node.loc.start);
  return `${node.loc.source.name}:${line}`;
}

/** Returns the directive with this name on a node; undefined without it. */
export const directiveOf = (
  { directives }: { readonly directives?: readonly DirectiveNode[] | undefined },
  name: string,
): DirectiveNode | undefined => directives?.find((each) => each.name.value === name);

/** Reads the arguments of a directive in a document, which declares the `subject`. @throws DocumentError if they contain variables. */
export function argumentsOf<Arguments>(
  schema: GraphQLSchema,
  directive: DirectiveNode,
  subject: string,
): Arguments {
  const name = directive.name.value;
  if (directive.arguments?.some(({ value }) => value.kind === Kind.VARIABLE)) {
    throw new DocumentError(
      directive,
      `${subject} is the same for every request: @${name} takes no variables.`,
    );
  }
  const declaration = schema.getDirective(name);
  if (!declaration) throw new Error(`The schema lacks @${name}.`);
  // The document was validated.
  return getArgumentValues(declaration, directive) as Arguments;
}

/** Reads the `*.graphql` files of a folder. @throws DocumentError for one that does not parse or fit the schema of all doors (`domain`). */
export function readDocuments(domain: GraphQLSchema, folder: string): Documents {
  const schema = extendSchema(domain, parse(DIRECTIVES));
  const operations = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.graphql'))
    .sort()
    .flatMap((name) => operationsOf(schema, parseFile(folder, join(folder, name))));
  return { schema, operations };
}

function parseFile(folder: string, file: string): DocumentNode {
  const name = relative(join(folder, '..'), file).split(sep).join('/');
  try {
    return parse(new Source(readFileSync(file, 'utf8'), name));
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const line = error.locations?.[0]?.line ?? 1;
    throw new DocumentError(`${name}:${line}`, error.message, { cause: error });
  }
}

function operationsOf(schema: GraphQLSchema, file: DocumentNode): OperationDocument[] {
  const [error] = validate(schema, file);
  if (error) throw new DocumentError(error.nodes?.[0] ?? file, error.message, { cause: error });
  return Object.entries(separateOperations(file)).map(([name, document]) => {
    const definition = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
    if (!definition || name === '') {
      throw new DocumentError(definition ?? file, 'Give the operation a name: it becomes its id in OpenAPI.');
    }
    return { name, definition, document };
  });
}
