/** Adds the variables of `.env` to the environment, which comes first. Import it before packages, which look at NODE_ENV when loaded. */
import { existsSync } from 'node:fs';

if (existsSync('.env')) process.loadEnvFile('.env');
