import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/db/postgres/schema.cjs',
  out: './src/db/postgres/migrations',
});
