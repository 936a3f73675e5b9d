/** How REST spells names, enum values, paths and types of bodies. */

import { memberOf } from '../../core/json.ts';

/** Converts a name of the schema: `unitPrice` becomes `unit_price`. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Fills in the variables of a path: `/v1/orders/{order_id}` becomes `/v1/orders/1`. */
export const fillIn = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')));

/** Fills in members of the body and variables of the path. Ends before a member that the body lacks: with the list that contains it. */
export function fillInMembers(template: string, values: Readonly<Record<string, unknown>>): string {
  const filled: string[] = [];
  for (const segment of template.split('/')) {
    const [, name] = /^\{([\w.]+)\}$/.exec(segment) ?? [];
    const value = name === undefined ? segment : name.split('.').reduce<unknown>(memberOf, values);
    if (value === undefined || value === null) break;
    filled.push(name === undefined ? segment : encodeURIComponent(String(value)));
  }
  return filled.join('/');
}

/** Returns the names in braces in a path. */
export const parametersOf = (path: string): ReadonlySet<string> =>
  new Set([...path.matchAll(/\{([\w.]+)\}/g)].flatMap(([, name]) => name ?? []));

/** Returns the spelling of an enum value in a path or query: `created_at_desc` is `-created_at` there. */
export const enumText = (name: string): string => name.replace(/^(.*)_desc$/, '-$1');

/** JSON with the members to change (RFC 7396): `null` removes a member, and omitted ones stay. Every PATCH works like this. */
export const MERGE_PATCH = 'application/merge-patch+json';

/** Returns the media types of bodies that routes accept with this method. */
export const bodyTypesOf = (method: string): readonly string[] =>
  method === 'PATCH' ? ['application/json', MERGE_PATCH] : ['application/json'];
