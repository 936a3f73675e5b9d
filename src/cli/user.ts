import { randomBytes } from 'node:crypto';
import { Argument, type Command, Option } from 'commander';
import { setPassword } from '../auth/password-changes.ts';
import { loadConfig } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { ROLES, type Role } from '../core/roles.ts';
import { storedAddress } from '../core/stored-address.ts';
import type { Database } from '../db/database.ts';
import { membersAfter } from '../db/queries/members.ts';
import { findUserByEmail } from '../db/queries/users.ts';
import type { UserRow } from '../db/rows.ts';
import { linkToInvitation } from '../mail/compose.ts';
import { addList, requireOrganisation, withDatabase } from './database.ts';
import { operatorIn, perform } from './operator.ts';
import { type OutputOptions, writeResult } from './output.ts';
import { CommandError, type Terminal, UsageError } from './terminal.ts';

interface PasswordOptions extends OutputOptions {
  readonly passwordStdin?: boolean;
}

interface InviteOptions extends OutputOptions {
  readonly org: string;
  readonly email: string;
  readonly role: Role;
}

interface Invited {
  readonly id: string;
  readonly expiresAt: string;
}

interface AddOptions extends InviteOptions, PasswordOptions {
  readonly name: string;
}

const ADD = `mutation ($org: String!, $input: CreateMemberInput!) { createMember(org: $org, input: $input) { id } }`;
const INVITE = `mutation ($org: String!, $input: CreateInvitationInput!) {
  createInvitation(org: $org, input: $input) { id expiresAt }
}`;
const SET_ROLE = `mutation ($org: String!, $userId: ID!, $input: UpdateMemberInput!) {
  updateMember(org: $org, userId: $userId, input: $input) { id }
}`;
const REMOVE = `mutation ($org: String!, $userId: ID!) { deleteMember(org: $org, userId: $userId) }`;

/** Bytes of a generated password: 120 bits cannot be guessed, and 20 characters are easy to copy. */
const PASSWORD_BYTES = 15;

export function declareUser(user: Command, terminal: Terminal): void {
  addAdd(user, terminal);
  addList(user, terminal, {
    description: 'List the active people of an organisation.',
    after: membersAfter,
    show: ({ id, email, name, role, createdAt }) => ({ id, email, name, role, created_at: createdAt }),
  });
  addInvite(user, terminal);
  addSetRole(user, terminal);
  addSetPassword(user, terminal);
  addRemove(user, terminal);
}

function addAdd(user: Command, terminal: Terminal): void {
  user
    .command('add')
    .description('Create an account. Its password is generated and shown once, or read from standard input.')
    .requiredOption('--org <id>', 'the id of the organisation')
    .requiredOption('--email <address>', 'the address to sign in with')
    .requiredOption('--name <name>', 'the display name')
    .addOption(new Option('--role <role>', 'the role of the person').choices(ROLES).makeOptionMandatory())
    .option('--password-stdin', 'read the password from standard input, where other users cannot see it')
    .option('--json', 'write JSON')
    .action(async ({ org, email, name, role, passwordStdin, json }: AddOptions) => {
      const { password, shown, sentences } = await choosePassword(terminal, passwordStdin);
      await withDatabase(terminal, async (database) => {
        await requireOrganisation(database, org);
        const input = { email, name, role, password };
        const { id } = await perform<{ id: string }>(database, operatorIn(org), ADD, { org, input });
        const made = { id: Number(id), org, email: storedAddress(email), name, role };
        writeResult(
          terminal,
          { ...made, ...shown },
          [`Added ${name} <${made.email}> to ${org} as ${role}, with the id ${id}.`, ...sentences],
          { json },
        );
      });
    });
}

function addInvite(user: Command, terminal: Terminal): void {
  user
    .command('invite')
    .description(
      'Invite a person, who chooses a name and a password. The link is shown once, and servers with MAIL_URL also mail it.',
    )
    .requiredOption('--org <id>', 'the id of the organisation')
    .requiredOption('--email <address>', 'the address to invite, and to sign in with')
    .addOption(new Option('--role <role>', 'the role of the person').choices(ROLES).makeOptionMandatory())
    .option('--json', 'write JSON')
    .action(({ org, email, role, json }: InviteOptions) =>
      withDatabase(terminal, async (database) => {
        await requireOrganisation(database, org);
        const variables = { org, input: { email, role } };
        const made = await perform<Invited>(database, operatorIn(org), INVITE, variables);
        const [id, expiresAt] = [Number(made.id), new Date(made.expiresAt)];
        const parts = { clock: systemClock, publicUrl: loadConfig(terminal.environment).http.publicUrl };
        const link = await linkToInvitation(database, { org, id, expiresAt }, parts);
        writeResult(
          terminal,
          { id, org, email: storedAddress(email), role, expires_at: expiresAt, link },
          [
            `Invited ${storedAddress(email)} to ${org} as ${role}, until ${expiresAt.toISOString().slice(0, 10)}.`,
            `Link (shown once): ${link}`,
          ],
          { json },
        );
      }),
    );
}

function addSetRole(user: Command, terminal: Terminal): void {
  user
    .command('set-role')
    .description('Change the role of a person, and end their sessions.')
    .argument('<email>', 'the address with which the person signs in')
    .addArgument(new Argument('<role>', 'the new role').choices(ROLES))
    .action((email: string, role: Role) =>
      withDatabase(terminal, async (database) => {
        const { id, org } = await requireUser(database, email);
        await perform(database, operatorIn(org), SET_ROLE, { org, userId: id, input: { role } });
        terminal.out(
          `${email} of ${org} now has the role ${role}. Running servers apply it within a second.\n`,
        );
      }),
    );
}

function addSetPassword(user: Command, terminal: Terminal): void {
  user
    .command('set-password')
    .description(
      'Set the password of a person, and end their sessions. It is generated, or read from standard input.',
    )
    .argument('<email>', 'the address with which the person signs in')
    .option('--password-stdin', 'read the password from standard input, where other users cannot see it')
    .option('--json', 'write JSON')
    .action(async (email: string, { passwordStdin, json }: PasswordOptions) => {
      const { password, shown, sentences } = await choosePassword(terminal, passwordStdin);
      await withDatabase(terminal, async (database) => {
        const person = await requireUser(database, email);
        const { id, org } = person;
        await setPassword(database, systemClock, operatorIn(org), person, password);
        writeResult(
          terminal,
          { id, org, email: person.email, ...shown },
          [`Set the password of ${person.name} <${person.email}>, and ended their sessions.`, ...sentences],
          { json },
        );
      });
    });
}

function addRemove(user: Command, terminal: Terminal): void {
  user
    .command('remove')
    .description('Remove a person from their organisation. Their events keep their name.')
    .argument('<email>', 'the address with which the person signs in')
    .action((email: string) =>
      withDatabase(terminal, async (database) => {
        const { id, org } = await requireUser(database, email);
        await perform(database, operatorIn(org), REMOVE, { org, userId: id });
        terminal.out(`Removed ${email} from ${org}.\n`);
      }),
    );
}

/** Finds an active user. @throws CommandError if no one has this address. */
export async function requireUser(database: Database, email: string): Promise<UserRow> {
  const found = await findUserByEmail(database, email);
  if (!found) throw new CommandError(`No account has the address ${email}.`);
  return found;
}

/** Returns the password from standard input, or a generated one, and what to show of it. */
async function choosePassword({ readInput }: Terminal, isGiven: boolean | undefined) {
  if (!isGiven) {
    const password = randomBytes(PASSWORD_BYTES).toString('base64url');
    return { password, shown: { password }, sentences: [`Password (shown once): ${password}`] };
  }
  // The final line break is not part of the password.
  const password = (await readInput()).replace(/\r?\n$/, '');
  if (password === '') throw new UsageError('Standard input has no password.');
  return { password, shown: {}, sentences: [] };
}
