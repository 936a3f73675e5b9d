/** A position in PostgreSQL's write-ahead log (type pg_lsn), as text such as `0/16B3748`. */
export type WalPosition = string;

const FORM = /^[0-9a-f]{1,8}\/[0-9a-f]{1,8}$/i;

export const isWalPosition = (text: string): boolean => FORM.test(text);

/** Greater than every other position. It stands for a change whose position could not be determined. */
export const UNKNOWN_WAL_POSITION: WalPosition = 'FFFFFFFF/FFFFFFFF';

/** Whether a replica that has replayed the log up to `first` has everything up to `second`. */
export function reaches(first: WalPosition, second: WalPosition): boolean {
  return numberOf(first) >= numberOf(second);
}

/** The later of two positions, or the one that is defined. */
export const later = (
  first: WalPosition | undefined,
  second: WalPosition | undefined,
): WalPosition | undefined =>
  first === undefined || second === undefined ? (first ?? second) : reaches(first, second) ? first : second;

function numberOf(position: WalPosition): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
