import type { FastifyInstance } from 'fastify';

/** What stands at `/`, for people. It names paths only, so that it holds behind every address. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Portico</title>
<style>
  body { font: 17px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 12vh auto; padding: 0 1.5rem; color: #1d2733 }
  h1 { font-weight: 600 } code { background: #eef1f5; border-radius: 4px; padding: .1em .35em } li { margin: .4em 0 }
</style>
<h1>Portico</h1>
<p>Orders, documents, payments and live activity: one GraphQL schema, with a REST facade over it.</p>
<ul>
  <li><code>POST /graphql</code> answers GraphQL operations.</li>
  <li><code>/v1</code> and <code>/v2</code> answer REST requests; begin with <code>POST /v1/auth/login</code>.</li>
  <li><a href="/readyz"><code>/readyz</code></a> tells whether the service is ready.</li>
</ul>
</html>
`;

export function addLandingPage(app: FastifyInstance): void {
  app.get('/', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(PAGE),
  );
}
