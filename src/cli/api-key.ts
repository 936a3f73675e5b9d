import { type Command, InvalidArgumentError } from 'commander';
import { apiKeyPrefix } from '../auth/api-keys.ts';
import { SCOPES } from '../auth/policy.ts';
import { listOf } from '../core/environment.ts';
import { apiKeys, apiKeysAfter } from '../db/queries/credentials.ts';
import { DateTime } from '../graphql/scalars.ts';
import { addList, withDatabase } from './database.ts';
import { operatorIn, perform } from './operator.ts';
import { rowId } from './options.ts';
import { type OutputOptions, writeResult } from './output.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { requireUser } from './user.ts';

interface CreateOptions extends OutputOptions {
  readonly owner: string;
  readonly name: string;
  readonly scopes: string[];
  readonly expiresAt?: Date;
}

const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { id key } }`;
const REVOKE = `mutation ($id: ID!) { revokeApiKey(id: $id) }`;

export function declareApiKey(apiKey: Command, terminal: Terminal): void {
  addCreate(apiKey, terminal);
  addList(apiKey, terminal, {
    description: 'List the API keys of an organisation, including revoked and expired ones.',
    after: apiKeysAfter,
    show: (row) => ({
      id: row.id,
      prefix: apiKeyPrefix(row.id),
      name: row.name,
      owner_id: row.userId,
      scopes: row.scopes,
      last_used_at: row.lastUsedAt,
      expires_at: row.expiresAt,
      revoked_at: row.revokedAt,
    }),
  });
  apiKey
    .command('revoke')
    .description('Revoke a key, effective from its next request. Repeating it changes nothing.')
    .argument('<id>', 'the id of the key, as shown by `api-key list`', rowId)
    .action((id: number) =>
      withDatabase(terminal, async (database) => {
        const org = await apiKeys.orgOf(database, id);
        if (org === undefined) throw new CommandError(`There is no key ${id}.`);
        await perform(database, operatorIn(org), REVOKE, { id });
        terminal.out(`Revoked API key ${id} (${org}).\n`);
      }),
    );
}

function addCreate(apiKey: Command, terminal: Terminal): void {
  apiKey
    .command('create')
    .description('Create an API key that acts for an administrator. The key is shown once.')
    .requiredOption('--owner <email>', 'the administrator for whom the key acts')
    .requiredOption('--name <name>', 'the purpose of the key')
    .requiredOption(
      '--scopes <list>',
      `the scopes of the key, separated by commas: ${SCOPES.join(', ')}`,
      listOf,
    )
    .option('--expires-at <time>', 'when the key expires (default: never)', timestamp)
    .option('--json', 'write JSON')
    .action(({ owner, name, scopes, expiresAt, json }: CreateOptions) =>
      withDatabase(terminal, async (database) => {
        const person = await requireUser(database, owner);
        if (person.role !== 'admin')
          throw new CommandError(`${person.email} is not an administrator, but has the role ${person.role}.`);
        const input = { name, scopes, expiresAt: expiresAt?.toISOString() };
        const operator = operatorIn(person.org, person);
        const { id, key } = await perform<{ id: string; key: string }>(database, operator, CREATE, { input });
        writeResult(
          terminal,
          { id: Number(id), org: person.org, name, key, scopes, expires_at: expiresAt ?? null },
          [`API key ${id} acts for ${person.email}. The key is shown once:`, key],
          { json },
        );
      }),
    );
}

/** Parses a timestamp as clients write it, or a date such as `2027-01-01`, which begins in UTC. */
function timestamp(value: string): Date {
  try {
    return DateTime.parseValue(/^[\d-]{10}$/.test(value) ? `${value}T00:00:00Z` : value);
  } catch {
    throw new InvalidArgumentError('It must be a date such as 2027-01-01, or an RFC 3339 timestamp.');
  }
}
