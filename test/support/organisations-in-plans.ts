/** Which rows a statement reads without comparing their organisation, by PostgreSQL's plan of it. */
import type { PlanNode } from './plans.ts';

/** Members of a node in which conditions stand. */
const CONDITIONS = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Hash Cond',
  'Merge Cond',
  'One-Time Filter',
] as const;

export type ConditionMember = (typeof CONDITIONS)[number];

/** The tables, by the names that they have in the plan, whose rows may be of more than one organisation. */
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

/** The tables that a plan reads or writes. */
export const relationsIn = (plan: PlanNode): readonly string[] =>
  nodesOf(plan).flatMap((node) => node['Relation Name'] ?? []);

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** What has to be true together of a row that the node gives. */
const conditionsOf = (node: PlanNode): readonly string[] =>
  CONDITIONS.flatMap((member) => conjunctsOf(node[member] ?? ''));

/** `((a = 1) AND (b = 2))` as `a = 1` and `b = 2`. What is inside of anything else, such as `OR`, stays there. */
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

/** Where the parenthesis that a text begins with is closed. */
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
  const parts: string[] = [];
  let rest = text;
  while (rest.startsWith('(')) {
    const end = closingOf(rest) + 1;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
    if (rest === '') return parts;
    if (!rest.startsWith(' AND ')) break;
    rest = rest.slice(' AND '.length);
  }
  return [text];
}

const EQUALITY = /^(?<left>\S+) = (?<right>.+)$/;
const ORGANISATION = /^(?<name>\w+)\.org$/;

/** Names of tables whose organisation equals a value, or that of a table whose organisation does. */
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
