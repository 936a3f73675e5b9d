/** What rows are found by: kept with each change of them, in its transaction. */
import { inOrder } from '../../core/promises.ts';
import { tokensOf } from '../../core/search.ts';
import { type Runner, statement, type Transaction } from '../database.ts';
import { desc } from '../drizzle/index.ts';
import { literal } from '../literals.ts';
import type { Searched } from '../words.ts';

interface NewWords {
  readonly id: number;
  readonly org: string;
  readonly tokens: readonly string[];
}

const statementsOf = (searched: Searched) => ({
  insert: statement<NewWords, unknown>(`${searched}.insertWords`, ({ orm, dialect }, p) =>
    orm
      .insert(dialect.words[searched])
      .values({ rowid: p.id, org: p.org, tokens: dialect.tokens(p.tokens, p.id) }),
  ),
  remove: statement<{ org: string; id: number }, unknown>(`${searched}.removeWords`, ({ orm, dialect }, p) =>
    orm.delete(dialect.words[searched]).where(dialect.wordsOf(searched, p.org, p.id)),
  ),
});

const STATEMENTS = { documents: statementsOf('documents'), products: statementsOf('products') };

/** What each kind of row is found by. */
const SEARCHABLE = {
  documents: ({ org, title, body }: Found['documents']) => ({ org, title, body }),
  // Its name is all there is, so it has no words elsewhere.
  products: ({ org, name }: Found['products']) => ({ org, title: name }),
};

interface Found {
  readonly documents: Readonly<Record<'org' | 'title' | 'body', string>> & { readonly id: number };
  readonly products: Readonly<Record<'org' | 'name', string>> & { readonly id: number };
}

/** The tokens of a row of a table. */
export function tokensIn<Name extends Searched>(searched: Name, row: Found[Name]): readonly string[] {
  // The name says which row it is.
  const searchable = SEARCHABLE[searched] as (found: Found[Name]) => Parameters<typeof tokensOf>[0];
  return tokensOf(searchable(row));
}

/** Has a new row found by its words. */
export async function addWords<Name extends Searched>(
  tx: Transaction,
  searched: Name,
  row: Found[Name],
): Promise<void> {
  const { id, org } = row;
  await tx.run(STATEMENTS[searched].insert, { id, org, tokens: tokensIn(searched, row) });
}

/** The same for one whose texts have changed. */
export async function replaceWords<Name extends Searched>(
  tx: Transaction,
  searched: Name,
  row: Found[Name],
): Promise<void> {
  await inOrder([removeWords(tx, searched, row), addWords(tx, searched, row)]);
}

/** Has a row not found any more. */
export async function removeWords(
  tx: Transaction,
  searched: Searched,
  { org, id }: Pick<NewWords, 'org' | 'id'>,
): Promise<void> {
  await tx.run(STATEMENTS[searched].remove, { org, id });
}

/** Finds the greatest id of an organisation's rows that have words; 0 where it has none. It is for engines that look at parts of the ids. */
export function newestIdWithWords(searched: Searched): (db: Runner, org: string) => Promise<number> {
  const newest = statement<{ org: string }, readonly { rowid: number }[]>(
    `${searched}.newestWithWords`,
    ({ orm, dialect }, p) => {
      const words = dialect.words[searched];
      return orm
        .select({ rowid: words.rowid })
        .from(words)
        .where(dialect.inIndex([[words.org, p.org]], words.rowid))
        .orderBy(...dialect.orderInIndex([[words.org, p.org]], desc, words.rowid))
        .limit(literal(1) as never);
    },
  );
  return async (db, org) => (await db.run(newest, { org }))[0]?.rowid ?? 0;
}
