import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { migrate } from '../../src/db/open.ts';

export function describeEachEngine(name: string, body: (engine: { url: string }) => void): void {
  describe(`${name} sqlite`, () => {
    const directory = mkdtempSync(join(tmpdir(), 'portico-auth-'));
    const url = `file:${join(directory, 'portico.db')}`;
    afterAll(() => rmSync(directory, { recursive: true, force: true }));
    beforeAll(() => migrate(url));
    body({ url });
  });
  describe(`${name} postgres`, () => {
    const db = `auth_${randomUUID().replaceAll('-', '')}`;
    const url = `postgres://postgres@127.0.0.1:5432/${db}`;
    const admin = async (text: string) => {
      const c = new pg.Client({ connectionString: 'postgres://postgres@127.0.0.1:5432/postgres' });
      await c.connect();
      await c.query(text);
      await c.end();
    };
    beforeAll(async () => {
      await admin(`create database ${db}`);
      await migrate(url);
    });
    afterAll(() => admin(`drop database ${db} with (force)`));
    body({ url });
  });
}
