/** Returns the row that a statement has written or read, where it always returns one. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('The statement returned no row.');
  return row;
}
