/** Maintains the full-text indexes: the words of a row are written in the transaction that changes the row. */
import { settleAll } from '../../../core/promises.ts';
import { tokensOf } from '../../../core/search.ts';
import type { Transaction } from '../../database.ts';
import { statement } from '../../statement.ts';
import type { Searched } from '../../words.ts';

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

/** The searchable texts of each kind of row. */
const SEARCHABLE = {
  documents: ({ org, title, body }: Found['documents']) => ({ org, title, body }),
  // A product has no text but its name, which counts as a title.
  products: ({ org, name }: Found['products']) => ({ org, title: name }),
};

interface Found {
  readonly documents: Readonly<Record<'org' | 'title' | 'body', string>> & { readonly id: number };
  readonly products: Readonly<Record<'org' | 'name', string>> & { readonly id: number };
}

/** The tokens of a row. */
export function tokensIn<Name extends Searched>(searched: Name, row: Found[Name]): readonly string[] {
  // The name of the table determines the type of the row.
  const searchable = SEARCHABLE[searched] as (found: Found[Name]) => Parameters<typeof tokensOf>[0];
  return tokensOf(searchable(row));
}

/** Adds the words of a new row to its index. */
export async function addWords<Name extends Searched>(
  tx: Transaction,
  searched: Name,
  row: Found[Name],
): Promise<void> {
  const { id, org } = row;
  await tx.run(STATEMENTS[searched].insert, { id, org, tokens: tokensIn(searched, row) });
}

/** Replaces the words of a row whose texts have changed. */
export async function replaceWords<Name extends Searched>(
  tx: Transaction,
  searched: Name,
  row: Found[Name],
): Promise<void> {
  await settleAll([removeWords(tx, searched, row), addWords(tx, searched, row)]);
}

/** Removes the words of a row, so that it is no longer found. */
export async function removeWords(
  tx: Transaction,
  searched: Searched,
  { org, id }: Pick<NewWords, 'org' | 'id'>,
): Promise<void> {
  await tx.run(STATEMENTS[searched].remove, { org, id });
}
