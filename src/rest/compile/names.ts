/** Converts a name of the schema to REST's spelling: `unitPrice` becomes `unit_price`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
