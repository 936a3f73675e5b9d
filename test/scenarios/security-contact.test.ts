/** `/.well-known/security.txt` (RFC 9116): where to report vulnerabilities. */
import { describe, expect, test } from 'vitest';
import { PUBLIC_URL, startApp } from '../support/app.ts';
import { describeOnSqlite } from '../support/engines.ts';

const PATH = '/.well-known/security.txt';

// It reads no database.
describeOnSqlite('the contact for security', (engine) => {
  describe('of a server with one', () => {
    const app = startApp(engine, { http: { securityContact: 'mailto:security@example.com' } });

    test('is at the standard path, and expires in the future', async () => {
      const response = await fetch(app.url + PATH);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      const lines = (await response.text()).trim().split('\n');
      const fields = new Map(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
      expect(fields.get('Contact')).toBe('mailto:security@example.com');
      expect(fields.get('Canonical')).toBe(PUBLIC_URL + PATH);
      expect(Date.parse(fields.get('Expires') ?? '')).toBeGreaterThan(app.clock().getTime());
    });
  });

  describe('of a server without one', () => {
    const app = startApp(engine);

    test('is not found', async () => {
      expect((await app.get(PATH)).status).toBe(404);
    });
  });
});
