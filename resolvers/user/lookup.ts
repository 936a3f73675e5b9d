import { findUser, orgOfUser } from '../../src/db/queries/users.ts';
import type { UserRow } from '../../src/db/rows.ts';
import type { Lookup } from '../shared/lookup.ts';

export const users: Lookup<UserRow> = { find: findUser, orgOf: orgOfUser };
