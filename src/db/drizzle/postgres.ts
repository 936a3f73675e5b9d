/** The parts of drizzle for PostgreSQL: column types and the driver. */
import { createRequire } from 'node:module';
import type * as Driver from 'drizzle-orm/node-postgres';
import type * as Words from 'drizzle-orm/pg-core';

const require = createRequire(import.meta.url);
const words: typeof Words = require('drizzle-orm/pg-core');
const driver: typeof Driver = require('drizzle-orm/node-postgres');

export const { bigint, check, foreignKey, index, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } =
  words;
export const { drizzle } = driver;
