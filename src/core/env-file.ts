/**
 * Adds the variables of `.env` in the working directory, if there is one; those of the environment come first. Programs import it
 * before anything else, since packages look at NODE_ENV when they are loaded.
 */
import { existsSync } from 'node:fs';

if (existsSync('.env')) process.loadEnvFile('.env');
