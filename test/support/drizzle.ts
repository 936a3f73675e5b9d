/**
 * The parts of drizzle that tests use, from the copy of the package that the server has loaded (`src/db/drizzle/`). An import would load the
 * other copy, which takes a quarter of the time in which a worker loads the server and the tests' support.
 */
import { createRequire } from 'node:module';
import type * as Drizzle from 'drizzle-orm';
import type * as Words from 'drizzle-orm/pg-core';

const require = createRequire(import.meta.url);
const drizzle: typeof Drizzle = require('drizzle-orm');
const words: typeof Words = require('drizzle-orm/pg-core');

export const { getTableColumns, getTableName } = drizzle;
export const { getTableConfig } = words;
