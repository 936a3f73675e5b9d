/**
 * The maximum cost of an operation, known before it runs. The operation is compiled into a sum once, which each request
 * evaluates with its variables. The size of the operation was limited before (`admission/structure.ts`), so fragments can be expanded.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { LIMITS } from '../../core/limits.ts';
import { type Fragments, fragmentsOf } from '../../core/selections.ts';
import { type CostExpression, requestedLength, type Variables } from './arguments.ts';
import type { Price, Prices } from './prices.ts';

/** What the cost of a selection depends on in the field above it. */
interface Above {
  readonly type: GraphQLCompositeType;
  /** The fields of that type whose length was requested by the field above. */
  readonly sizedFields: ReadonlySet<string>;
  readonly length: CostExpression;
}

const NOT_SIZED = { sizedFields: new Set<string>(), length: 0 };

const INTROSPECTION: ReadonlyMap<string, number> = new Map([
  ['__schema', LIMITS.schemaWeight],
  ['__type', LIMITS.typeWeight],
]);

/**
 * The cost of a validated operation, at least 1: a number, or a function of its coerced variables.
 *
 * @param pageMax maximum rows of a page, to which a larger requested size is capped.
 */
export function requestedCost(
  schema: GraphQLSchema,
  prices: Prices,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  pageMax: number,
): CostExpression {
  const root = schema.getRootType(operation.operation);
  if (!root) return 1;
  const compiler = new SumCompiler(schema, prices, document, operation.operation, pageMax);
  const sum = compiler.selection(operation.selectionSet, { type: root, ...NOT_SIZED });
  return typeof sum === 'number' ? Math.max(1, sum) : (variables) => Math.max(1, sum(variables));
}

class SumCompiler {
  readonly #schema: GraphQLSchema;
  readonly #prices: Prices;
  readonly #isMutation: boolean;
  readonly #root: GraphQLCompositeType | null | undefined;
  readonly #fragments: Fragments;
  readonly #pageMax: number;

  constructor(
    schema: GraphQLSchema,
    prices: Prices,
    document: DocumentNode,
    operation: OperationTypeNode,
    pageMax: number,
  ) {
    this.#schema = schema;
    this.#prices = prices;
    this.#isMutation = operation === OperationTypeNode.MUTATION;
    this.#root = schema.getRootType(operation);
    this.#fragments = fragmentsOf(document);
    this.#pageMax = pageMax;
  }

  selection(set: SelectionSetNode, above: Above): CostExpression {
    return add(
      set.selections.map((node) => {
        const sum = node.kind === Kind.FIELD ? this.#field(node, above) : this.#fragment(node, above);
        return sum === 0 ? 0 : underConditions(node.directives, sum);
      }),
    );
  }

  #fragment(node: Exclude<SelectionSetNode['selections'][number], FieldNode>, above: Above): CostExpression {
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments[node.name.value];
    if (!fragment) return 0;
    const condition = fragment.typeCondition && this.#schema.getType(fragment.typeCondition.name.value);
    const type = isCompositeType(condition) ? condition : above.type;
    return this.selection(fragment.selectionSet, { ...above, type });
  }

  #field(node: FieldNode, { type, sizedFields, length }: Above): CostExpression {
    const name = node.name.value;
    const introspection = INTROSPECTION.get(name);
    if (introspection !== undefined) return introspection;
    const field = 'getFields' in type ? type.getFields()[name] : undefined;
    // In a validated document, only `__typename` is not a field of its type.
    if (!field) return 0;
    const { size, ...price } = this.#prices.of(field, this.#isMutation && type === this.#root);
    const below = getNamedType(field.type);
    if (!isCompositeType(below) || !node.selectionSet) return price.weight;
    const asked = size && requestedLength(field, node, size, this.#pageMax);
    const sized = size && asked !== undefined ? { sizedFields: size.sizedFields, length: asked } : NOT_SIZED;
    const inner = this.selection(node.selectionSet, { type: below, ...sized });
    const ownLength = sized.sizedFields.size > 0 ? undefined : asked;
    return total(price, sizedFields.has(name) ? length : (ownLength ?? LIMITS.unknownListLength), inner);
  }
}

/** The sum of a field's own points and those of each of its objects with everything below. */
function total(
  { weight, objectWeight, lists }: Omit<Price, 'size'>,
  length: CostExpression,
  inner: CostExpression,
): CostExpression {
  // The innermost of nested lists has the requested length.
  const count = lists === 0 ? 1 : length;
  const factor = LIMITS.unknownListLength ** Math.max(0, lists - 1);
  if (typeof count === 'number' && typeof inner === 'number') {
    return weight + factor * count * (objectWeight + inner);
  }
  return (variables) =>
    weight + factor * numberOf(count, variables) * (objectWeight + numberOf(inner, variables));
}

function add(sums: readonly CostExpression[]): CostExpression {
  let constant = 0;
  const others: Exclude<CostExpression, number>[] = [];
  for (const sum of sums) {
    if (typeof sum === 'number') constant += sum;
    else others.push(sum);
  }
  if (others.length === 0) return constant;
  return (variables) => others.reduce((points, sum) => points + sum(variables), constant);
}

const numberOf = (cost: CostExpression, variables: Variables): number =>
  typeof cost === 'number' ? cost : cost(variables);

/** Drops the cost of a selection that `@skip` or `@include` excludes by a variable. With a literal, the cost counts anyway. */
function underConditions(
  directives: readonly DirectiveNode[] | undefined,
  sum: CostExpression,
): CostExpression {
  const conditions = (directives ?? []).flatMap(({ name, arguments: given }) => {
    const value = given?.find((argument) => argument.name.value === 'if')?.value;
    if ((name.value !== 'skip' && name.value !== 'include') || value?.kind !== Kind.VARIABLE) return [];
    const variable = value.name.value;
    const leavesOut = name.value === 'skip';
    return [(variables: Variables) => variables[variable] !== leavesOut];
  });
  if (conditions.length === 0) return sum;
  return (variables) => (conditions.every((holds) => holds(variables)) ? numberOf(sum, variables) : 0);
}
