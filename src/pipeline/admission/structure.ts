/**
 * Limits the structure of operations before they are validated, since the time of validation grows faster than the document,
 * and its recursion follows fragments. Every fragment is measured once, however often it is used, so this takes linear time.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { type Fragments, fieldsIn, fragmentsOf, selectionsIn } from '../../core/selections.ts';
import { CONDITIONS, isIntrospection } from '../response-fields.ts';

/** Limits of each operation, with fragments counted at each of their uses. */
export interface StructureLimits {
  /** Maximum levels of fields. */
  readonly depth: number;
  readonly aliases: number;
  readonly rootFields: number;
}

/** The sizes of a selection, with fragments counted at each of their uses. */
interface Measure {
  readonly depth: number;
  /** Levels of fields, without counting `ofType`. */
  readonly depthOfLists: number;
  readonly fields: number;
  readonly aliases: number;
  /** Fields on the selection's own level. */
  readonly ownFields: number;
}

const NOTHING: Measure = { depth: 0, depthOfLists: 0, fields: 0, aliases: 0, ownFields: 0 };

/**
 * Refuses a document whose operations are too large.
 *
 * @param once names of root fields that may occur only once in a document.
 * @throws ApiError `query_too_large`, `query_too_deep`, `too_many_aliases`, `too_many_root_fields`, `field_repeated`; GraphQLError for a
 *   fragment that does not exist or refers to itself, and for a conditional root of a subscription.
 */
export function boundStructure(
  document: DocumentNode,
  once: ReadonlySet<string>,
  limits: StructureLimits,
): void {
  const { definitions } = document;
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  bound('query_too_large', operations.length, LIMITS.documentOperations, 'operations');
  bound('query_too_large', fragments.length, LIMITS.documentFragments, 'fragments');
  const measures = new Measures(fragments);
  // Includes unused fragments, since validation visits all of them.
  for (const { name } of fragments) measures.ofFragment(name.value);
  for (const operation of operations) boundOperation(operation, measures, limits);
  // All sizes are limited now, so fragments can be followed at each use.
  const byName = fragmentsOf(document);
  for (const { selectionSet } of operations) boundFields([selectionSet], byName);
  for (const operation of operations) refuseConditionalRoot(operation, byName);
  refuseRepeated(operations, byName, once);
}

function boundOperation(
  operation: OperationDefinitionNode,
  measures: Measures,
  limits: StructureLimits,
): void {
  const { depth, fields, aliases, ownFields } = measures.ofSet(operation.selectionSet);
  const variables = operation.variableDefinitions?.length ?? 0;
  bound('query_too_large', variables, LIMITS.operationVariables, 'variables in an operation');
  bound('too_many_root_fields', ownFields, limits.rootFields, 'root fields in an operation');
  bound('too_many_aliases', aliases, limits.aliases, 'aliases in an operation');
  bound('query_too_deep', depth, limits.depth, 'levels of fields');
  bound('query_too_large', fields, LIMITS.operationFields, 'fields in an operation');
}

/** Limits the fields that are merged in a response. @param sets selections of the fields that are merged above. */
function boundFields(sets: readonly SelectionSetNode[], fragments: Fragments): void {
  const fields = sets.flatMap((set) => fieldsIn(set, fragments));
  for (const merged of Map.groupBy(fields, ({ alias, name }) => (alias ?? name).value).values()) {
    bound('query_too_large', merged.length, LIMITS.fieldsInOnePlace, 'fields in one place of the response');
    const below = merged.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (below.length > 0) boundFields(below, fragments);
  }
}

function refuseRepeated(
  operations: readonly OperationDefinitionNode[],
  fragments: Fragments,
  once: ReadonlySet<string>,
): void {
  const names = operations
    .flatMap(({ selectionSet }) => fieldsIn(selectionSet, fragments))
    .map(({ name }) => name.value)
    .filter((name) => once.has(name));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice)
    throw new ApiError('field_repeated', { message: `"${twice}" may occur only once in a document.` });
}

/**
 * Refuses `@skip` and `@include` on the root selection of a subscription (GraphQL of September 2025, section 5.2.4.1): without
 * its field there is nothing to subscribe to, and graphql-js throws for such a subscription, in some cases during validation.
 */
function refuseConditionalRoot(
  { operation, selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
): void {
  if (operation !== OperationTypeNode.SUBSCRIPTION) return;
  const condition = selectionsIn(selectionSet, fragments)
    .flatMap(({ directives = [] }) => directives)
    .find(({ name }) => CONDITIONS.has(name.value));
  if (!condition) return;
  const message = `The root of a subscription must not have "@${condition.name.value}".`;
  throw new GraphQLError(message, { nodes: condition });
}

/** @throws ApiError with this code if a document has too many of something. */
export function bound(code: ErrorCode, size: number, most: number, what: string): void {
  if (size > most) throw new ApiError(code, { message: `The document has more than ${most} ${what}.` });
}

class Measures {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The measures of fragments; null while a fragment is being measured, so that a cycle is detected. */
  readonly #known = new Map<string, Measure | null>();

  constructor(fragments: readonly FragmentDefinitionNode[]) {
    this.#fragments = new Map(fragments.map((node) => [node.name.value, node]));
  }

  ofFragment(name: string, spread?: FragmentSpreadNode): Measure {
    const known = this.#known.get(name);
    if (known) return known;
    if (known === null) throw new GraphQLError(`The fragment "${name}" refers to itself.`, at(spread));
    const fragment = this.#fragments.get(name);
    if (!fragment) throw new GraphQLError(`There is no fragment "${name}".`, at(spread));
    this.#known.set(name, null);
    const measure = this.ofSet(fragment.selectionSet);
    this.#known.set(name, measure);
    return measure;
  }

  ofSet(set: SelectionSetNode | undefined): Measure {
    if (!set) return NOTHING;
    let { depth, depthOfLists, fields, aliases, ownFields } = NOTHING;
    for (const selection of set.selections) {
      const part =
        selection.kind === Kind.FIELD
          ? this.#ofField(selection)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.ofSet(selection.selectionSet)
            : this.ofFragment(selection.name.value, selection);
      depth = Math.max(depth, part.depth);
      depthOfLists = Math.max(depthOfLists, part.depthOfLists);
      fields += part.fields;
      aliases += part.aliases;
      ownFields += part.ownFields;
    }
    return { depth, depthOfLists, fields, aliases, ownFields };
  }

  #ofField({ name, alias, selectionSet }: FieldNode): Measure {
    const below = this.ofSet(selectionSet);
    const depthOfLists = below.depthOfLists + (name.value === 'ofType' ? 0 : 1);
    const depth = below.depth + 1;
    return {
      // The types of introspection are fixed, and `ofType` leads to no further lists, so it need not count there.
      depth: isIntrospection(name.value) && depth <= LIMITS.introspectionDepth ? depthOfLists : depth,
      depthOfLists,
      fields: below.fields + 1,
      aliases: below.aliases + (alias ? 1 : 0),
      ownFields: 1,
    };
  }
}

const at = (node: FragmentSpreadNode | undefined) => (node ? { nodes: node } : {});
