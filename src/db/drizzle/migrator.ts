/** The reader of migrations. */
import { createRequire } from 'node:module';
import type * as Migrator from 'drizzle-orm/migrator';

const require = createRequire(import.meta.url);
const migrator: typeof Migrator = require('drizzle-orm/migrator');

export const { readMigrationFiles } = migrator;
