/** Converts a name of the schema to REST's spelling: `unitPrice` becomes `unit_price`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Fills in the variables of a path: `/v1/orders/{order_id}` becomes `/v1/orders/1`. */
export const fillIn = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')));
