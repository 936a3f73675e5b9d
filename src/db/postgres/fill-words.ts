import type pg from 'pg';
import { SEARCH_VERSIONS } from '../../core/search.ts';
import { tokensIn } from '../queries/shared/words.ts';
import { COMPLETE_ROW, completeToken, PART_SIZES, partToken, SEARCHED, type Searched } from '../words.ts';

/** Rows per transaction. Writers of these rows wait for it. */
const CHUNK = 500;

/** With `for share`, a row that another transaction is changing is read, and its words are written, after that change. */
const ROWS = {
  documents:
    'select id::float8, org, title, body from documents where id > $1 and deleted_at is null order by id limit $2 for share',
  products: 'select id::float8, org, name from products where id > $1 order by id limit $2 for share',
};

/** Fills the full-text indexes that are not complete. If it is interrupted, the next run starts again. */
export async function fillWords(client: pg.Client): Promise<void> {
  for (const searched of SEARCHED) {
    if (!(await hasWordsOf(client, searched))) await fillWordsOf(client, searched);
  }
}

/** Whether the full-text indexes have the words of all rows, in the form of this version. */
export async function hasAllWords(client: pg.Client): Promise<boolean> {
  for (const searched of SEARCHED) {
    if (!(await hasWordsOf(client, searched))) return false;
  }
  return true;
}

async function hasWordsOf(client: pg.Client, searched: Searched): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from search_${searched} where org = '' and rowid = $1 and tokens = array_to_tsvector(array[$2])`,
    [COMPLETE_ROW, completeToken(SEARCH_VERSIONS.postgres)],
  );
  return rowCount !== 0;
}

async function fillWordsOf(client: pg.Client, searched: Searched): Promise<void> {
  for (let after = 0; ; ) {
    await client.query('begin');
    const { rows } = await client.query<Parameters<typeof tokensIn<typeof searched>>[1]>(ROWS[searched], [
      after,
      CHUNK,
    ]);
    await write(
      client,
      searched,
      rows.map((row) => ({
        rowid: row.id,
        org: row.org,
        tokens: [...tokensIn(searched, row), ...partsOf(row.id)],
      })),
    );
    await client.query('commit');
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  await write(client, searched, [
    { rowid: COMPLETE_ROW, org: '', tokens: [completeToken(SEARCH_VERSIONS.postgres)] },
  ]);
}

const partsOf = (id: number) => PART_SIZES.postgres.map((size) => partToken(size, Math.floor(id / size)));

interface Words {
  readonly rowid: number;
  readonly org: string;
  readonly tokens: readonly string[];
}

async function write(client: pg.Client, searched: Searched, words: readonly Words[]): Promise<void> {
  await client.query(
    `insert into search_${searched} (rowid, org, tokens)
      select rowid, org, array_to_tsvector(array(select jsonb_array_elements_text(tokens)))
      from jsonb_to_recordset($1) as given (rowid bigint, org text, tokens jsonb)
      on conflict (org, rowid) do update set tokens = excluded.tokens`,
    [JSON.stringify(words)],
  );
}
