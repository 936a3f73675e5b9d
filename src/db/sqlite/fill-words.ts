import type Client from 'better-sqlite3';
import { SEARCH_VERSIONS } from '../../core/search.ts';
import { tokensIn } from '../queries/shared/words.ts';
import { COMPLETE_ROW, completeToken, SEARCHED, type Searched } from '../words.ts';
import { storedTokens } from './dialect.ts';

/** Maximum number of rows in memory. */
const CHUNK = 500;

const ROWS = {
  documents:
    'select id, org, title, body from documents where id > ? and deleted_at is null order by id limit ?',
  products: 'select id, org, name from products where id > ? order by id limit ?',
};

/** Whether the full-text indexes have the words of all rows, in the form of this version. */
export const hasAllWords = (client: Client.Database): boolean =>
  SEARCHED.every((searched) => hasWordsOf(client, searched));

const hasWordsOf = (client: Client.Database, searched: Searched): boolean =>
  client
    .prepare(`select 1 from search_${searched} where search_${searched} match ?`)
    .get(completeToken(SEARCH_VERSIONS.sqlite)) !== undefined;

/** Fills the full-text indexes that are not complete, within the transaction of the migration. */
export function fillWords(client: Client.Database): void {
  for (const searched of SEARCHED) {
    if (!hasWordsOf(client, searched)) fillWordsOf(client, searched);
  }
}

function fillWordsOf(client: Client.Database, searched: Searched): void {
  client.exec(`insert into search_${searched} (search_${searched}) values ('delete-all')`);
  const insert = client.prepare(`insert into search_${searched} (rowid, org, tokens) values (?, ?, ?)`);
  const select = client.prepare(ROWS[searched]);
  for (let after = 0; ; ) {
    // The statement selects the columns that `tokensIn` reads for this table.
    const rows = select.all(after, CHUNK) as Parameters<typeof tokensIn<typeof searched>>[1][];
    for (const row of rows) insert.run(row.id, row.org, storedTokens(tokensIn(searched, row)));
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  insert.run(COMPLETE_ROW, '', completeToken(SEARCH_VERSIONS.sqlite));
}
