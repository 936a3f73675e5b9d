/** Pages seal each selected cursor once: sealing is most of the cost of a page besides its rows. */
import { expect, test } from 'vitest';
import { Connection } from '../../resolvers/shared/connection.ts';

const ROWS = [{ id: 1 }, { id: 2 }, { id: 3 }];

function pageOf(rows: readonly { readonly id: number }[]) {
  const sealed: unknown[] = [];
  const [start, end] = [rows.at(0), rows.at(-1)];
  const ends = {
    ...{ hasNextPage: true, hasPreviousPage: false },
    ...{ start: start && [start.id], end: end && [end.id] },
  };
  const seal = (position: readonly (number | string)[]) => {
    sealed.push(position[0]);
    return `cursor ${position[0]}`;
  };
  return { page: new Connection(rows, ends, { positionOf: ({ id }) => [id], seal }), sealed };
}

test('no cursor is sealed when only nodes are selected', () => {
  const { page, sealed } = pageOf(ROWS);
  expect([page.nodes, page.hasNextPage, page.pageInfo.hasPreviousPage]).toEqual([ROWS, true, false]);
  expect(sealed).toEqual([]);
});

test('each cursor is sealed once, however often it is selected', () => {
  const { page, sealed } = pageOf(ROWS);
  for (let read = 0; read < 3; read += 1) {
    expect([page.endCursor, page.nextCursor, page.pageInfo.endCursor]).toEqual(Array(3).fill('cursor 3'));
    expect(page.pageInfo.startCursor).toBe('cursor 1');
  }
  expect(sealed).toEqual([3, 1]);
  for (let read = 0; read < 3; read += 1) {
    expect(page.edges).toMatchObject(ROWS.map((node) => ({ node })));
    expect(page.edges.map(({ cursor }) => cursor)).toEqual(['cursor 1', 'cursor 2', 'cursor 3']);
  }
  expect(sealed).toEqual([3, 1, 1, 2, 3]);
});

test('an empty page has no cursors', () => {
  const { page, sealed } = pageOf([]);
  expect([page.startCursor, page.endCursor, page.edges]).toEqual([null, null, []]);
  expect(sealed).toEqual([]);
});
