/** The parts of drizzle for SQLite: column types and the driver. */
import { createRequire } from 'node:module';
import type * as Driver from 'drizzle-orm/better-sqlite3';
import type * as Words from 'drizzle-orm/sqlite-core';

const require = createRequire(import.meta.url);
const words: typeof Words = require('drizzle-orm/sqlite-core');
const driver: typeof Driver = require('drizzle-orm/better-sqlite3');

export const { check, foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } = words;
export const { drizzle } = driver;
