/** Finds the tables that a statement reads without comparing the organisation, from its plan in PostgreSQL. */
import { CONDITIONS, type PlanNode } from '../db/plans.ts';

/** Returns the aliases of the tables whose rows may belong to more than one organisation. */
export function unboundIn(plan: PlanNode, tenants: ReadonlySet<string>): readonly string[] {
  const nodes = nodesOf(plan);
  const bound = boundNames(nodes.flatMap(conditionsOf));
  const scans = nodes.filter((node) => node['Node Type'] !== 'ModifyTable');
  const unbound = scans
    .filter((node) => tenants.has(node['Relation Name'] ?? ''))
    .map((node) => node.Alias ?? '')
    .filter((name) => !bound.has(name));
  return [...new Set(unbound)];
}

/** Returns the tables that a plan reads or writes. */
export const relationsIn = (plan: PlanNode): readonly string[] =>
  nodesOf(plan).flatMap((node) => node['Relation Name'] ?? []);

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The conditions that all rows of a node satisfy. */
const conditionsOf = (node: PlanNode): readonly string[] =>
  CONDITIONS.flatMap((member) => conjunctsOf(node[member] ?? ''));

/** Splits `((a = 1) AND (b = 2))` into `a = 1` and `b = 2`. Other expressions, such as `OR`, are not split. */
function conjunctsOf(condition: string): readonly string[] {
  const inner = withoutParentheses(condition);
  const parts = splitAtAnd(inner);
  return parts.length === 1 ? [inner] : parts.flatMap(conjunctsOf);
}

function withoutParentheses(condition: string): string {
  const text = condition.trim();
  return text.startsWith('(') && closingOf(text) === text.length - 1
    ? withoutParentheses(text.slice(1, -1))
    : text;
}

/** Returns the index at which the first parenthesis of a text is closed. */
function closingOf(text: string): number {
  let depth = 0;
  for (const [index, sign] of [...text].entries()) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

function splitAtAnd(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const word of text.split(/(?<= AND )|(?= AND )/)) {
    if (word === ' AND ' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + word);
    depth += word.split('(').length - word.split(')').length;
  }
  return parts;
}

const EQUALITY = /^(?<left>\S+) = (?<right>.+)$/;
const ORGANISATION = /^(?<name>\w+)\.org$/;

/** Returns the aliases of tables whose organisation equals a value, directly or through another table. */
function boundNames(conditions: readonly string[]): ReadonlySet<string> {
  const bound = new Set<string>();
  const equal: [string, string][] = [];
  for (const condition of conditions) {
    const { left = '', right = '' } = EQUALITY.exec(condition)?.groups ?? {};
    const [one, other] = [left, right].map((side) => ORGANISATION.exec(side)?.groups?.['name']);
    if (one && other) equal.push([one, other]);
    else if (one ?? other) bound.add(one ?? other ?? '');
  }
  for (let size = -1; size !== bound.size; ) {
    size = bound.size;
    for (const pair of equal)
      if (pair.some((name) => bound.has(name))) for (const name of pair) bound.add(name);
  }
  return bound;
}
