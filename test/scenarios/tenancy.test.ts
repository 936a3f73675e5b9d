/**
 * Tenant isolation (specification, Authentication 7): every request that names a row of another organisation
 * is refused, and no response has data of that organisation. The requests are generated from the schema and
 * the routes, so that new fields and routes are covered automatically.
 */
import { getNamedType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { nodeIdOf } from '../../src/graphql/nodes.ts';
import { schema } from '../support/api.ts';
import { startApp } from '../support/app.ts';
import { describeEachEngine, runsAllCases } from '../support/engines.ts';
import { writesNothing } from '../support/expectations.ts';
import { addRowOfEachTable, type ForeignRows, tableNamed } from '../support/fixtures/table-rows.ts';
import type { Included, Slot } from './generated-inputs.ts';
import { type Operation, operations, type Reaction } from './generated-operations.ts';

const OWN = 'acme';
const OTHER = 'globex';

/** The maximum number of combinations of values for the slots of one operation: more would take minutes. */
const COMBINATIONS = 200;

/** An operation with some of its optional parts, and the slots of this form. */
interface Form {
  readonly included: Included;
  readonly slots: readonly Slot[];
}

/** The form with the required parts only, then one with each optional part, including nested ones. */
function formsOf(operation: Operation, included: Included = new Map()): Form[] {
  const { slots, further } = operation.generate(() => 1, included);
  const inside = further.filter(
    (one) => one.size === 1 || isInside([...one.keys()].at(-1), [...included.keys()].at(-1)),
  );
  return [{ included, slots }, ...inside.flatMap((one) => formsOf(operation, one))];
}

const isInside = (path = '', outer = '') => path.startsWith(`${outer}.`);

/** The slots in all forms of an operation. */
const slotsOf = (operation: Operation): string[] => [
  ...new Set(formsOf(operation).flatMap(({ slots }) => slots.map(({ path }) => path))),
];

describeEachEngine('tenancy', (engine) => {
  // The generated selections include all fields, with nested lists.
  const app = startApp(engine, { operations: { cost: 1_000_000 } });
  let own: ForeignRows;
  let other: ForeignRows;
  let secrets: readonly string[];
  let headers: Record<string, string>;

  beforeAll(async () => {
    const { token } = await app.signIn('ada');
    headers = { authorization: `Bearer ${token}` };
    own = await addRowOfEachTable(engine.database, { org: OWN, firstId: 10_000_000, word: 'ours' });
    other = await addRowOfEachTable(engine.database, { org: OTHER, firstId: 20_000_000, word: 'theirs' });
    secrets = await wordsOnlyIn(OTHER);
  });

  test('the other organisation has rows of every type, with recognisable words', () => {
    expect(secrets).toEqual(
      expect.arrayContaining([
        'Globex Trading',
        'Gil Moreau',
        'gil@globex.test',
        'Shipping crate',
        'theirs-users-name',
      ]),
    );
    expect(other.ids.size).toBeGreaterThan(8);
  });

  describe('refuses rows of another organisation', () => {
    test.each(operations.filter((one) => slotsOf(one).length > 0).map((one) => [one.name, one] as const))(
      '%s',
      async (_name, operation) => {
        const recognised = new Set<string>();
        await writesNothing(app, async () => {
          for (const { included, foreign, choice } of attemptsOn(operation)) {
            const { values } = operation.generate((slot) => choice.get(slot.path) ?? '', included);
            const reaction = await operation.ask(app, values, headers);
            const what = `${JSON.stringify(values)} returned ${reaction.text}`;
            const refusals = foreign.map((slot) => refusalOf(reaction, slot));
            expect(refusals.some(Boolean), what).toBe(true);
            expectNoSecret(reaction.text, what);
            const [alone, ...more] = foreign;
            if (alone && more.length === 0 && refusals[0] === 'recognised') recognised.add(alone.path);
          }
        });
        // An id of the wrong type is not found. The one of the right type must have been recognised.
        expect([...recognised].toSorted()).toEqual(slotsOf(operation).toSorted());
      },
    );
  });

  describe('shows nothing of another organisation in public queries', () => {
    // An invitation link shows its invitation to its recipient, whatever the organisation.
    const reading = operations.filter(
      ({ reads, name }) => reads && !/receivedInvitation|\/auth\/invitations\//.test(name),
    );
    test.each(reading.map((one) => [one.name, one] as const))('%s', async (_name, operation) => {
      const reactions: Reaction[] = [];
      for (const { included, slots } of formsOf(operation)) {
        for (const choice of combinations(
          slots,
          candidates(own, OWN, operation.name, spellingOf(operation.name)),
        )) {
          const { values } = operation.generate((slot) => choice.get(slot.path) ?? '', included);
          const reaction = await operation.ask(app, values, headers);
          expectNoSecret(reaction.text, JSON.stringify(values));
          reactions.push(reaction);
        }
      }
      expect(reactions.map(({ code }) => code)).toContain('answered');
    });
  });

  /** Foreign values in each slot, with own values in the others; then in all of them. */
  function* attemptsOn(operation: Operation): Generator<Attempt> {
    const ours = candidates(own, OWN, operation.name, spellingOf(operation.name));
    const theirs = candidates(other, OTHER, operation.name, spellingOf(operation.name));
    const anyOfTheirs = candidates(other, OTHER, '', spellingOf(operation.name));
    // Ids of the wrong type do not depend on the engine, so only one engine tests them. Nor do they depend on the optional parts: they
    // are tested in the first form that has the slot.
    const known = new Set<string>();
    for (const { included, slots } of formsOf(operation)) {
      for (const slot of slots) {
        const others = combinations(
          slots.filter((one) => one !== slot),
          ours,
        );
        const right = theirs(slot);
        const wrong = anyOfTheirs({ ...slot, name: 'id' }).filter((value) => !right.includes(value));
        const isTested = runsAllCases(engine) && !known.has(slot.path);
        known.add(slot.path);
        for (const value of isTested ? [...right, ...nextOf(wrong)] : right) {
          for (const choice of others) {
            yield { included, foreign: [slot], choice: new Map([...choice, [slot.path, value]]) };
          }
        }
      }
      if (slots.length < 2) continue;
      for (const choice of combinations(slots, theirs)) yield { included, foreign: slots, choice };
    }
  }

  /** The number of ids of the wrong type so far. */
  let tested = 0;

  /** Returns one id of the wrong type, of another table than the last time. */
  function nextOf<Id>(wrong: readonly Id[]): readonly Id[] {
    const next = tested % Math.max(wrong.length, 1);
    tested += 1;
    return wrong.slice(next, next + 1);
  }

  /**
   * `recognised` if it was refused as a row of another organisation, `absent` if there is no such row of that
   * type. A value inside a body, such as a product of an order's items, is refused with its path.
   */
  function refusalOf({ code, paths }: Reaction, slot: Slot): 'recognised' | 'absent' | undefined {
    if (code === 'forbidden') return 'recognised';
    if (code === 'validation_failed' && paths.length > 0 && paths.every((path) => path === slot.path)) {
      return 'recognised';
    }
    return slot.kind === 'id' && (code === 'nothing' || code === 'not_found') ? 'absent' : undefined;
  }

  function expectNoSecret(text: string, what: string): void {
    const found = secrets.filter((secret) => text.includes(secret));
    expect(found, `of ${OTHER}, after ${what}`).toEqual([]);
  }

  /** Every string in the rows of an organisation that is in no row of the other one. */
  async function wordsOnlyIn(org: string): Promise<string[]> {
    const words = { theirs: new Set<string>(), ours: new Set<string>() };
    for (const table of await tables()) {
      for (const row of await engine.place.query(`select * from ${table}`)) {
        const owner = row['org'] ?? (table === 'organisations' ? row['id'] : undefined);
        // A row without an organisation belongs to one through another row, and has its marker.
        const isMarked = JSON.stringify(row).includes('theirs-');
        if (owner === undefined && !isMarked) continue;
        for (const text of textsIn(row)) words[isMarked || owner === org ? 'theirs' : 'ours'].add(text);
      }
    }
    // Its short name may be in a message, because the request contained it.
    return [...words.theirs.difference(words.ours)].filter((word) => word !== org);
  }

  async function tables(): Promise<string[]> {
    const rows = await engine.place.query(
      engine.name === 'sqlite'
        ? `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '\\_\\_%' escape '\\'`
        : `select tablename as name from pg_tables where schemaname = 'public'`,
    );
    return rows.map((row) => String(row['name']));
  }
});

type Choice = ReadonlyMap<string, string | number>;

interface Attempt {
  readonly included: Included;
  /** The slots with a value of the other organisation. */
  readonly foreign: readonly Slot[];
  /** The value of each slot, by its path. */
  readonly choice: Choice;
}

type Candidates = (slot: Slot) => readonly (string | number)[];

/**
 * Values of an organisation for a slot: `userId` and `user_id` are ids of users, `id` may be of any table.
 * @param operation its name: `id` is of the tables that it is named after, if any.
 * @param spell converts an id of a table to the id in the operation.
 */
function candidates(
  { ids }: ForeignRows,
  org: string,
  operation = '',
  spell: (table: string, id: number) => string | number = (_table, id) => id,
): Candidates {
  const named = [...ids.keys()].filter((table) => operation.includes(singular(table)));
  return ({ kind, name }) => {
    if (kind === 'org') return [org];
    const id = ids.get(tableNamed(name) ?? '');
    if (id !== undefined) return [id];
    return (named.length > 0 ? named : [...ids.keys()]).flatMap((table) => {
      const one = ids.get(table);
      return one === undefined ? [] : [spell(table, one)];
    });
  };
}

/** Operations use the ids of rows; `Query.node` uses ids with their types. */
const spellingOf = (operation: string) => (operation === 'Query.node' ? nodeIdIn : undefined);

/** The type of a row is that of the root field named after its table; tables without one have no nodes. */
function nodeIdIn(table: string, id: number): string {
  const name = singular(table);
  const field = schema.getQueryType()?.getFields()[name.charAt(0).toLowerCase() + name.slice(1)];
  return nodeIdOf(field ? getNamedType(field.type).name : name, id);
}

/** The name of a row in operation names: `Order` in `updateOrder`. */
const singular = (table: string) => `${table.charAt(0).toUpperCase()}${table.slice(1).replace(/s$/, '')}`;

/** All combinations of values for the slots. */
function combinations(slots: readonly Slot[], values: Candidates): Choice[] {
  let all: Choice[] = [new Map()];
  for (const slot of slots) {
    all = all.flatMap((choice) => values(slot).map((value) => new Map([...choice, [slot.path, value]])));
  }
  if (all.length > COMBINATIONS)
    throw new Error(`${all.length} combinations: name the slots after their tables.`);
  return all;
}

/**
 * Strings of a row that do not occur in a response by chance, including those in JSON. 64-bit numbers are
 * strings.
 */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const json = /^[[{]/.test(value) ? parsed(value) : undefined;
    if (json !== undefined) return textsIn(json);
    return value.length >= 4 && /\p{L}/u.test(value) ? [value] : [];
  }
  if (value instanceof Date || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A string that only looks like JSON.
    return undefined;
  }
}
