/** What PostgreSQL has of drizzle: the words of its columns, the driver, and its migrator. */
import { createRequire } from 'node:module';
import type * as Driver from 'drizzle-orm/node-postgres';
import type * as Migrator from 'drizzle-orm/node-postgres/migrator';
import type * as Words from 'drizzle-orm/pg-core';

const require = createRequire(import.meta.url);
const words: typeof Words = require('drizzle-orm/pg-core');
const driver: typeof Driver = require('drizzle-orm/node-postgres');
const migrator: typeof Migrator = require('drizzle-orm/node-postgres/migrator');

export const { bigint, check, index, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } = words;
export const { drizzle } = driver;
export const { migrate } = migrator;
