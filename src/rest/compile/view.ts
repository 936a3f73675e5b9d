import {
  type FieldNode,
  GraphQLInt,
  type GraphQLInterfaceType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isUnionType,
  Kind,
} from 'graphql';
import { type Fragments, fieldsIn, fragmentsOf } from '../../core/selections.ts';
import { exampleOf } from '../../graphql/directives/values.ts';
import type { Schema } from '../openapi/types.ts';
import { argumentsOf, DocumentError, directiveOf, type OperationDocument } from './documents.ts';

/** The member of a body with the cursor of the next page, which is sent back as the parameter `cursor`. */
export const NEXT_CURSOR = 'next_cursor';

/** Names of members from the outermost to the innermost. */
type MemberPath = readonly string[];

/** The response of a route, as its operation's selection determines it. */
export interface View {
  /** The name of the root field's value in the result. */
  readonly rootName: string;
  readonly bodySchema: Schema;
  /** The member with the version for the ETag, which is not in the body. */
  readonly etag: string | undefined;
  /** The member with the cursor for the link to the stream, which is not in the body. */
  readonly streamCursor: string | undefined;
  /** Whether the response is one page of a list. */
  readonly isPage: boolean;
  /** Whether the response has the cursor of the next page. */
  readonly hasCursor: boolean;
  /** Members with a page number, which becomes a link. */
  readonly pageLinks: readonly { readonly path: MemberPath; readonly parameter: string }[];
}

/** A type whose fields a route can select. */
type ShapedType = GraphQLObjectType | GraphQLInterfaceType;

/** A field of the response, merged from all its occurrences in the selection. */
interface Member {
  readonly name: string;
  readonly node: FieldNode;
  readonly type: GraphQLOutputType;
  readonly description: string | null | undefined;
  readonly example: unknown;
}

/** Determines the shape of the response from the root field and its selection. */
export function readView(
  schema: GraphQLSchema,
  operation: OperationDocument,
  root: FieldNode,
  rootType: GraphQLOutputType,
): View {
  const reader = new ViewReader(schema, operation);
  // If the root field is null, the response is 404 without a body of this shape.
  const bodySchema = reader.schemaOf(new GraphQLNonNull(getNullableType(rootType)), root, []);
  const { etag, streamCursor, pageLinks } = reader;
  const hasCursor = NEXT_CURSOR in (bodySchema.properties ?? {});
  const isPage = hasCursor || pageLinks.length > 0;
  const rootName = root.alias?.value ?? root.name.value;
  return { rootName, bodySchema, etag, streamCursor, isPage, hasCursor, pageLinks };
}

class ViewReader {
  readonly pageLinks: { path: MemberPath; parameter: string }[] = [];
  etag: string | undefined;
  streamCursor: string | undefined;
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #variables: ReadonlySet<string>;

  constructor(schema: GraphQLSchema, { document, definition }: OperationDocument) {
    this.#schema = schema;
    this.#variables = new Set(definition.variableDefinitions?.map(({ variable }) => variable.name.value));
    this.#fragments = fragmentsOf(document);
  }

  schemaOf(type: GraphQLOutputType, node: FieldNode, path: MemberPath): Schema {
    const schema = this.#presentSchema(getNullableType(type), node, path);
    return isNonNullType(type) ? schema : orNull(schema);
  }

  #presentSchema(type: GraphQLOutputType, node: FieldNode, path: MemberPath): Schema {
    if (isListType(type)) return { type: 'array', items: this.schemaOf(type.ofType, node, [...path, '*']) };
    if (isEnumType(type)) return { type: 'string', enum: type.getValues().map((v) => v.name) };
    if (isLeafType(type)) return leafSchema(type.name);
    if (isUnionType(type)) {
      throw new DocumentError(node, `${type.name} is a union, but the response of a route has one shape.`);
    }
    const properties: Record<string, Schema> = {};
    for (const member of this.#members(type, node).values()) {
      this.#readDirectives(member, path);
      if (hasDirective(member.node, 'etag') || hasDirective(member.node, 'streamLink')) continue;
      const schema = this.schemaOf(member.type, member.node, [...path, member.name]);
      const isLink = hasDirective(member.node, 'pageLink');
      const shown = isLink ? { type: ['string', 'null'] } : schema;
      properties[member.name] = {
        ...shown,
        ...(member.description && { description: member.description }),
        ...(member.example !== undefined && !isLink && { examples: [member.example] }),
      };
    }
    return { title: titleOf(type, node), type: 'object', properties, required: Object.keys(properties) };
  }

  /** Returns the fields of a selection, its fragments included, by their names in the response. */
  #members(type: ShapedType, { selectionSet }: FieldNode): Map<string, Member> {
    return new Map(
      fieldsIn(selectionSet, this.#fragments).map((node) => {
        const field = type.getFields()[node.name.value];
        const name = node.alias?.value ?? node.name.value;
        if (!field) throw new DocumentError(node, `A route cannot select ${node.name.value}.`);
        const { description } = field;
        return [name, { name, node, type: field.type, description, example: exampleOf(this.#schema, field) }];
      }),
    );
  }

  #readDirectives(member: Member, path: MemberPath): void {
    if (hasDirective(member.node, 'etag')) {
      if (getNullableType(member.type) !== GraphQLInt)
        throw new DocumentError(member.node, '@etag needs a version, which is an Int.');
      if (path.length === 0) this.etag = member.name;
    }
    if (hasDirective(member.node, 'streamLink')) {
      if (path.length > 0 || getNullableType(member.type) !== GraphQLString)
        throw new DocumentError(member.node, '@streamLink needs the cursor of a page, which is a String.');
      this.streamCursor = member.name;
    }
    const link = directiveOf(member.node, 'pageLink');
    if (!link) return;
    if (path.includes('*'))
      throw new DocumentError(link, '@pageLink belongs to a page, not to the elements of a list.');
    if (getNullableType(member.type) !== GraphQLInt) {
      throw new DocumentError(link, '@pageLink needs a page number, which is an Int.');
    }
    const { parameter } = argumentsOf<{ parameter: string }>(this.#schema, link, 'A page link');
    if (!this.#variables.has(parameter)) {
      throw new DocumentError(
        link,
        `@pageLink uses the parameter "${parameter}", which this route does not have.`,
      );
    }
    this.pageLinks.push({ path: [...path, member.name], parameter });
  }
}

/** Returns the name of a shape: that of its fragment if the selection is a single fragment, otherwise that of its type. */
function titleOf(type: ShapedType, { selectionSet }: FieldNode): string {
  const [first, second] = selectionSet?.selections ?? [];
  return first?.kind === Kind.FRAGMENT_SPREAD && !second ? first.name.value : type.name;
}

const hasDirective = (node: FieldNode, name: string) => directiveOf(node, name) !== undefined;

const LEAVES: Readonly<Record<string, Schema>> = {
  ID: { type: 'integer', format: 'int64' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  Decimal: { type: 'number' },
  Boolean: { type: 'boolean' },
  String: { type: 'string' },
  DateTime: { type: 'string', format: 'date-time' },
};

/** Returns the JSON schema of a scalar. Ids are integers in REST. */
export const leafSchema = (name: string): Schema => LEAVES[name] ?? {};

/** The same schema for a value that may also be null. */
export function orNull(schema: Schema): Schema {
  if (schema.$ref !== undefined) return { anyOf: [schema, { type: 'null' }] };
  if (schema.enum) return { ...schema, type: ['string', 'null'], enum: [...schema.enum, null] };
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema;
}
