/** Inserts rows directly, without the server's rules and events. */
import type { TestEngine } from './engines.ts';

export interface NewProduct {
  readonly name: string;
  /** Minor units. */
  readonly unitPrice: number;
  readonly currency: string;
  readonly org?: string;
}

/** Adds a product. @returns its id, which is larger than all others. */
export async function addProduct({ place }: TestEngine, product: NewProduct): Promise<number> {
  const { name, unitPrice, currency, org = 'acme' } = product;
  // The engines write timestamps differently, so they are copied from the first product.
  const [row] = await place.query(`
    insert into products (org, name, unit_price, currency, created_at, updated_at)
    select '${org}', '${name}', ${unitPrice}, '${currency}', created_at, updated_at from products where id = 1
    returning id`);
  return Number(row?.['id']);
}

export interface NewPerson {
  readonly email: string;
  readonly role: 'admin' | 'editor' | 'viewer';
  readonly org?: string;
}

/** Adds a user with the password of the demo data. @returns the user's id. */
export async function addPerson({ place }: TestEngine, person: NewPerson): Promise<number> {
  const { email, role, org = 'acme' } = person;
  const [row] = await place.query(`
    insert into users (org, email, name, role, password_hash, created_at, updated_at)
    select '${org}', '${email}', 'Somebody', '${role}', password_hash, created_at, created_at from users where id = 1
    returning id`);
  return Number(row?.['id']);
}
