/** Inserts apps directly into the database. */
import type { TestEngine } from './engines.ts';

const sqlTime = ({ name }: TestEngine) =>
  name === 'sqlite' ? '1767225600000' : "timestamptz '2026-01-01T00:00:00Z'";

/** Adds an app to another organisation. @returns its client id. */
export async function addForeignApp(engine: TestEngine): Promise<string> {
  const now = sqlTime(engine);
  await engine.place.query(
    `insert into organisations (id, name, created_at) values ('initech', 'Initech', ${now}) on conflict do nothing`,
  );
  const [row] = await engine.place.query(
    `insert into apps (org, name, type, redirect_uris, scopes, token_format, created_at, updated_at)
      values ('initech', 'Foreign', 'web', '["https://app.example/callback"]', '["read:orders"]', 'jwt', ${now}, ${now})
      returning id`,
  );
  return `app_${row?.['id']}`;
}

/** Adds a grant of ada to an app of acme. @returns its id. */
export async function addGrant(engine: TestEngine, appId: number): Promise<number> {
  const [row] = await engine.place.query(
    `insert into grants (org, kind, user_id, app_id, installation_id, scopes, declined, created_at)
      select org, 'consent', 1, app_id, id, scopes, '[]', created_at from installations
      where app_id = ${appId} and org = 'acme' returning id`,
  );
  return Number(row?.['id']);
}
