import { defineTables } from '../tables.ts';
import { postgresVocabulary } from './columns.ts';

export const postgresTables = defineTables(postgresVocabulary);
