/**
 * The rule for reading documents lets its statements walk an index and stop: with 20,000 documents of an
 * organisation among as many of others, of which a viewer may read two thirds, and 40,000 events.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import '../../src/db/queries/document-lists.ts';
import '../../src/db/queries/documents.ts';
import '../../src/db/queries/events.ts';
import '../../src/db/queries/shares.ts';
import { EVENT_TYPES } from '../../src/events/catalogue.ts';
import { describeEachEngine, type TestEngine } from '../support/engines.ts';
import { rowsForPlans } from '../support/fixtures/rows.ts';
import { explainPostgres, explainSqlite, type Params, rowsRead } from './plans.ts';

const DOCUMENTS = 40_000;
const EVENTS = 40_000;
const UNREAD = 100;

/**
 * Odd ids are acme's, and every third document is confidential. Each has a share, every hundredth one with
 * the viewer.
 */
async function fill(engine: TestEngine): Promise<void> {
  const { place } = engine;
  const { now, numbers } = rowsForPlans(engine);
  const org = `case n % 2 when 1 then 'acme' else 'globex' end`;
  await place.query(
    `insert into organisations (id, name, created_at) values ('acme', 'Acme', ${now}), ('globex', 'Globex', ${now})`,
  );
  await place.query(`insert into users (org, email, name, role, created_at, updated_at)
    select 'acme', 'user-' || n || '@acme.test', 'User', 'viewer', ${now}, ${now} from ${numbers(9)}`);
  await place.query(`insert into documents (org, author_id, title, body, classification, created_at, updated_at)
    select ${org}, 1 + n % 4, 'Title', 'Text', case n % 3 when 0 then 'confidential' when 1 then 'public' else 'internal' end,
      ${now}, ${now} from ${numbers(DOCUMENTS)}`);
  await place.query(`insert into shares (org, document_id, user_id, relation, created_at)
    select ${org}, n, case n % 100 when 0 then 9 else 8 end, 'reader', ${now} from ${numbers(DOCUMENTS)}`);
  await place.query(`insert into events (org, type, actor_id, subject_type, subject_id, data, created_at)
    select ${org}, 'document.updated', 1, 'document', n, '{}', ${now} from ${numbers(EVENTS)}`);
}

const viewer = { org: 'acme', readerId: 9, role: 'viewer' };
const writer = { ...viewer, right: 'share' };
const page = { ...viewer, fromId: 10_000, limit: 21 };
const few = { ...viewer, authorIds: [2, 4], size: 20 };
const history = { ...viewer, documentIds: [1, 3, 5, 7, 11], fromId: 50_000, limit: 3 };
const unread = { ...viewer, afterId: EVENTS - UNREAD, types: EVENT_TYPES };

interface Case {
  readonly name: string;
  readonly params: Params;
  /** Steps that SQLite's plan must have. */
  readonly steps: readonly string[];
  /** Expected sorts, of lists that are not read in order. */
  readonly sorts: number;
  /** The maximum number of rows that PostgreSQL may read of each table. */
  readonly most: Readonly<Record<'documents' | 'shares' | 'events', number>>;
}

const SHARE = 'SEARCH shares USING COVERING INDEX shares_document_user (document_id=? AND user_id=?)';
const BY_ID = 'SEARCH documents USING INTEGER PRIMARY KEY (rowid=?)';

const CASES: readonly Case[] = [
  {
    name: 'documents.readable',
    params: { ...viewer, id: 9 },
    steps: [BY_ID, SHARE],
    sorts: 0,
    most: { documents: 1, shares: 1, events: 0 },
  },
  {
    // Every third is hidden, so shares must be read.
    name: 'documents.look',
    params: page,
    steps: ['SEARCH documents USING COVERING INDEX documents_by_org (org=? AND id>?)', SHARE],
    sorts: 0,
    most: { documents: 21, shares: 7, events: 0 },
  },
  {
    name: 'documents.lookAtClassified',
    params: { ...page, classification: 'confidential' },
    steps: [
      'SEARCH documents USING COVERING INDEX documents_by_classification (org=? AND classification=? AND id>?)',
      SHARE,
    ],
    sorts: 0,
    most: { documents: 21, shares: 21, events: 0 },
  },
  {
    name: 'documents.readableByIds',
    params: { ...viewer, ids: [1, 3, 5] },
    steps: [BY_ID, SHARE],
    sorts: 0,
    most: { documents: 3, shares: 1, events: 0 },
  },
  ...['documents.oldestOfAuthors', 'documents.newestOfAuthors'].map((name) => ({
    name,
    params: few,
    steps: [
      `SEARCH few USING COVERING INDEX documents_by_author (org=? AND author_id=? AND id${name.includes('newest') ? '>' : '<'}?)`,
      'SEARCH passed USING COVERING INDEX documents_by_author (org=? AND author_id=?)',
      SHARE,
    ],
    sorts: 1,
    // The search reads the last id of its range, then the index, then the rows.
    most: { documents: 2 * (201 + 31 + 20), shares: 2 * 11, events: 0 },
  })),
  {
    name: 'shares.ofDocuments',
    params: { ...writer, documentIds: [1, 3, 5] },
    steps: [BY_ID, 'SEARCH shares USING INDEX shares_document_user (document_id=?) LEFT-JOIN'],
    sorts: 1,
    most: { documents: 3, shares: 6, events: 0 },
  },
  {
    name: 'events.unreadAfter',
    params: unread,
    steps: ['SEARCH events USING INDEX events_by_org (org=? AND id>?)', BY_ID, SHARE],
    sorts: 0,
    most: { documents: UNREAD / 2, shares: UNREAD / 2, events: UNREAD },
  },
  {
    name: 'documents.history',
    params: history,
    steps: [
      'SEARCH few USING COVERING INDEX events_by_subject (org=? AND subject_type=? AND subject_id=? AND id<?)',
      BY_ID,
      SHARE,
    ],
    sorts: 1,
    most: { documents: 15, shares: 15, events: 15 },
  },
];

describeEachEngine('documents of a large organisation', (engine) => {
  beforeAll(() => fill(engine));

  if (engine.name === 'sqlite') {
    test.each(CASES)('$name walks its indexes', async ({ name, params, steps, sorts }) => {
      const plan = await explainSqlite(engine, name, params);
      for (const step of steps) expect(plan.join('\n')).toContain(step);
      expect(plan.filter((line) => line.includes('TEMP B-TREE')).length).toBeLessThanOrEqual(sorts);
      expect(plan.filter((line) => /^SCAN (documents|shares|events|few)/.test(line))).toEqual([]);
    });
    return;
  }

  describe.each(['before statistics', 'after statistics'])('%s', (when) => {
    beforeAll(async () => {
      if (when === 'after statistics') await engine.place.query('vacuum analyze');
    });

    test.each(CASES)('$name reads no more rows than necessary', async ({ name, params, most }) => {
      const plan = await explainPostgres(engine, name, params);
      const read = {
        documents: rowsRead(plan, 'documents'),
        shares: rowsRead(plan, 'shares'),
        events: rowsRead(plan, 'events'),
      };
      const table = JSON.stringify(plan, undefined, 1);
      // Without statistics, which a table has soon after it was filled, two indexes that are both ordered
      // by id have the same cost.
      const slack = when === 'before statistics' ? 2 : 1;
      expect(read.documents, table).toBeLessThanOrEqual(most.documents * slack);
      expect(read.shares, table).toBeLessThanOrEqual(most.shares * slack);
      expect(read.events, table).toBeLessThanOrEqual(most.events * slack);
    });
  });
});
