import type { Config } from '../config.ts';
import { withoutPassword } from '../core/environment.ts';

/** Prints the URLs, and a command to try. */
export function greet({ http, database, demo }: Pick<Config, 'http' | 'database' | 'demo'>): void {
  const { publicUrl } = http;
  const lines = [
    '',
    `  Portico      ${publicUrl}`,
    `  GraphQL      ${publicUrl}/graphql`,
    `  REST         ${publicUrl}/v1`,
    `  Database     ${withoutPassword(database.url)}`,
  ];
  if (demo) {
    lines.push(
      '',
      '  Demo data is in. Try:',
      '',
      `    curl -s ${publicUrl}/v1/auth/login -H 'content-type: application/json' \\`,
      `      -d '{"email":"ada@acme.test","password":"portico-demo"}'`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
