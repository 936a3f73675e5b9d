/** The trailer of a complete export (RFC 9110, section 6.5), with its number of rows: `rows=1000`. */
export const COMPLETE = 'portico-complete';
