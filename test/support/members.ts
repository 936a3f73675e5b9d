import type { TestApp } from './app.ts';
import type { Sender } from './client.ts';
import type { Session, User } from './shapes.ts';

/** Somebody whom a test added, and how they sign in. */
export interface Member extends User {
  readonly password: string;
}

let added = 0;

/** Adds somebody to acme. Each has an address of their own, so that tests do not get in each other's way. */
export async function addMember(
  app: TestApp,
  role: User['role'],
  { org = 'acme', as = 'ada', name = 'Mo Castell' }: { org?: string; as?: Sender; name?: string } = {},
): Promise<Member> {
  added += 1;
  const password = `correct horse ${added}`;
  const email = `mo-${added}@${org}.test`;
  const answer = await app.post<User>(`/v1/orgs/${org}/users`, { as, body: { email, name, role, password } });
  if (answer.status !== 201) throw new Error(`No one was added: ${answer.status} ${answer.text}`);
  return { ...answer.body, password };
}

/** Signs somebody in whom a test added. */
export async function signIn(
  app: TestApp,
  { email, password }: Pick<Member, 'email' | 'password'>,
): Promise<Session & { readonly token: string }> {
  const answer = await app.post<Session>('/v1/auth/login', { body: { email, password } });
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.status} ${answer.text}`);
  return { ...answer.body, token: answer.body.access_token };
}

let wished = 0;

/** What is said of somebody who is to be added, at an address that no one has. */
export const newcomer = (changes: object = {}) => {
  wished += 1;
  const email = `new-${wished}@acme.test`;
  return { email, name: 'Nia Roth', role: 'editor', password: 'long enough', ...changes };
};
