import { type Config, withoutPassword } from '../config.ts';

/** Tells whoever started the server where things are, and one thing to try. */
export function greet({ publicUrl, databaseUrl, demo }: Config): void {
  const lines = [
    '',
    `  Portico      ${publicUrl}`,
    `  GraphQL      ${publicUrl}/graphql`,
    `  REST         ${publicUrl}/v1`,
    `  Database     ${withoutPassword(databaseUrl)}`,
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
