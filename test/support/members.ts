import type { TestApp } from './app.ts';
import type { Sender } from './client.ts';
import type { Session, User } from './shapes.ts';

/** A member that a test has added, with their password. */
export interface Member extends User {
  readonly password: string;
}

let added = 0;

/** Adds a member, by default to acme. Each has a different email address, so that tests do not interfere. */
export async function addMember(
  app: TestApp,
  role: User['role'],
  { org = 'acme', as = 'ada', name = 'Mo Castell' }: { org?: string; as?: Sender; name?: string } = {},
): Promise<Member> {
  added += 1;
  const password = `correct horse ${added}`;
  const email = `mo-${added}@${org}.test`;
  const response = await app.post<User>(`/v1/orgs/${org}/users`, {
    as,
    body: { email, name, role, password },
  });
  if (response.status !== 201)
    throw new Error(`The member was not added: ${response.status} ${response.text}`);
  return { ...response.body, password };
}

/** Signs in with an email address and a password. */
export async function signIn(
  app: TestApp,
  { email, password }: Pick<Member, 'email' | 'password'>,
): Promise<Session & { readonly token: string }> {
  const response = await app.post<Session>('/v1/auth/login', { body: { email, password } });
  if (response.status !== 200)
    throw new Error(`${email} could not sign in: ${response.status} ${response.text}`);
  return { ...response.body, token: response.body.access_token };
}

let newcomers = 0;

/** Returns the body that adds a member with an unused email address. */
export const newcomer = (changes: object = {}) => {
  newcomers += 1;
  const email = `new-${newcomers}@acme.test`;
  return { email, name: 'Nia Roth', role: 'editor', password: 'long enough', ...changes };
};
