import type { Config } from '../config.ts';
import { withoutPassword } from '../core/environment.ts';

/** Prints the URLs, and with demo data a command to try. */
export function greet({ http, database }: Pick<Config, 'http' | 'database'>, hasDemo: boolean): void {
  const { publicUrl } = http;
  const lines = [
    '',
    `  Portico      ${publicUrl}`,
    `  Console      ${publicUrl}/console`,
    `  Docs         ${publicUrl}/docs`,
    `  GraphiQL     ${publicUrl}/graphql`,
    `  Database     ${withoutPassword(database.url)}`,
  ];
  if (hasDemo) {
    lines.push(
      '',
      '  The demo data is installed: sign in as ada@acme.test, ed@acme.test, vic@acme.test or gil@globex.test',
      '  with the password portico-demo. Try:',
      '',
      `    curl -s ${publicUrl}/v1/auth/login -H 'content-type: application/json' \\`,
      `      -d '{"email":"ada@acme.test","password":"portico-demo"}'`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
