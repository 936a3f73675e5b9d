/**
 * The pages of the authorization server. They work without scripts, and cannot be framed. Only pages with a form have a script, which sends
 * it once.
 */
import type { FastifyReply } from 'fastify';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import { LOOPBACK } from '../../auth/apps/metadata.ts';
import { basePathOf } from '../../core/public-url.ts';
import { type Html, headOf, html } from '../html.ts';
import { HTML } from '../routes/texts.ts';

const hasForm = (content: Html): boolean => content.text.includes('<form');

function page(publicUrl: string, title: string, content: Html): string {
  const base = basePathOf(publicUrl);
  // Neither deferred nor a module: it must run before the form can be sent.
  const script = html`
  <script src="${base}/assets/pages/submit-once.js"></script>`;
  return html`<!doctype html>
<html lang="en">
<head>
  ${headOf(`${base}/`)}
  <title>${title} – Portico</title>
  <link rel="stylesheet" href="${base}/assets/pages/style.css">
  <link rel="stylesheet" href="${base}/assets/pages/oauth.css">${hasForm(content) ? script : ''}
</head>
<body>
  <header class="bar"><span class="mark"><img src="${base}/assets/pages/mark.svg" alt="" width="22" height="22">Portico</span></header>
  <main id="main" class="card">
    <h1>${title}</h1>
    ${content}
  </main>
</body>
</html>
`.text;
}

/**
 * Returns the headers of the pages, with a policy for their resources and form targets. Browsers apply it to all redirects of a form,
 * also from the app to another host, and a policy cannot name IPv6 addresses. So it includes the scheme of the app's redirect URI.
 */
function pageHeaders(content: Html, redirectUri?: string): Record<string, string> {
  const scheme = redirectUri === undefined ? '' : ` ${new URL(redirectUri).protocol}`;
  return {
    'content-type': HTML,
    'content-security-policy': `default-src 'none'; ${
      hasForm(content) ? "script-src 'self'; " : ''
    }style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'${scheme}; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    // Forms must send their origin to this server, but to no other one.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

/** Describes where a redirect leads, whose URI was compared with the registered ones: a host, or an app on this device. */
export function receiverOf(redirectUri: string): string {
  const { host, hostname, protocol } = new URL(redirectUri);
  const isOnWeb = (protocol === 'https:' || protocol === 'http:') && !LOOPBACK.has(hostname);
  return isOnWeb ? host : 'an app on this device';
}

function send(ctx: KoaContextWithOIDC, title: string, content: Html, redirectUri?: string): void {
  ctx.set(pageHeaders(content, redirectUri));
  ctx.body = page(ctx.oidc.issuer, title, content);
}

/** Sends a page from a route that oidc-provider does not serve. @param redirectUri where its form may lead. */
export function sendPage(
  { publicUrl, reply }: { readonly publicUrl: string; readonly reply: FastifyReply },
  title: string,
  content: Html,
  redirectUri?: string,
): FastifyReply {
  return reply.headers(pageHeaders(content, redirectUri)).send(page(publicUrl, title, content));
}

const secretOf = (ctx: KoaContextWithOIDC) => String(ctx.oidc.session?.state?.['secret'] ?? '');

/** The user code in the URL of the page. */
export const CODE_IN_URL = Symbol('user code');

interface ErrorOut {
  readonly error: string;
  readonly error_description?: string | undefined;
}

/** Returns the description of a temporary failure of this server, which is a sentence; undefined for other errors. */
const temporary = (out?: ErrorOut): string | undefined =>
  out?.error === 'temporarily_unavailable' ? out.error_description : undefined;

/** After a reload of a form that was sent or of a connected device, or a form that was opened later in another tab. */
const OUTDATED = 'This page was out of date. If your device is not connected yet, enter its code again.';

const DEVICE_ERRORS: Readonly<Record<string, string>> = {
  InvalidRequest: OUTDATED,
  SessionNotFound: OUTDATED,
  NoCodeError: 'Enter the code that your device shows.',
  NotFoundError: 'This code does not exist. Check the code on your device.',
  ExpiredError: 'The code has expired. Get a new one on your device.',
  AlreadyUsedError: 'The code was already used. Get a new one on your device.',
  DecidedDeviceError: 'The code was already used. Get a new one on your device.',
  AbortedError: 'The device was not connected.',
};

/** @param out the error as it would be sent to a client. */
export function deviceCodePage(ctx: KoaContextWithOIDC, _form: string, out?: ErrorOut, error?: Error): void {
  const given: unknown = Reflect.get(ctx.req, CODE_IN_URL);
  const problem =
    error && (temporary(out) ?? DEVICE_ERRORS[error.constructor.name] ?? 'The code cannot be used.');
  send(
    ctx,
    'Connect a device',
    html`<p>Enter the code that your device shows. Only connect a device that you have in front of you.</p>
    ${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
    <form method="post" action="${ctx.oidc.urlFor('code_verification')}">
      <input type="hidden" name="xsrf" value="${secretOf(ctx)}">
      <label for="user_code">Code</label>
      <input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="32" value="${
        typeof given === 'string' ? given : ''
      }">
      <p class="actions"><button type="submit">Continue</button></p>
    </form>`,
  );
}

export function deviceConfirmPage(
  ctx: KoaContextWithOIDC,
  _form: string,
  client: Client,
  _device: unknown,
  code: string,
): void {
  send(
    ctx,
    'Is this your device?',
    html`<p><strong>${client.clientName ?? client.clientId}</strong> wants to connect. Your device must show this code:</p>
    <p class="code">${code}</p>
    <form method="post" action="${ctx.oidc.urlFor('code_verification')}">
      <input type="hidden" name="xsrf" value="${secretOf(ctx)}">
      <input type="hidden" name="user_code" value="${code}">
      <p class="actions">
        <button type="submit" name="confirm" value="yes">The codes match</button>
        <button type="submit" class="quiet" name="abort" value="yes">They differ</button>
      </p>
    </form>`,
  );
}

export function deviceDonePage(ctx: KoaContextWithOIDC): void {
  send(ctx, 'Connected', html`<p>Go back to your device. You can close this page.</p>`);
}

export function signOutPage(ctx: KoaContextWithOIDC): void {
  const { client, params } = ctx.oidc;
  // oidc-provider has compared it with those of the app.
  const target = params?.['post_logout_redirect_uri'];
  const back = typeof target === 'string' ? target : undefined;
  send(
    ctx,
    'Sign out?',
    html`<p>Apps stay connected. You can revoke their access in the console, on the page Account.</p>
    ${back === undefined ? '' : wayBack(back, client)}
    <form method="post" action="${ctx.oidc.urlFor('end_session_confirm')}">
      <input type="hidden" name="xsrf" value="${secretOf(ctx)}">
      <p class="actions"><button type="submit" name="logout" value="yes">Sign out</button></p>
    </form>`,
    back,
  );
}

/** Any organisation may give its app any name, so the page also names what cannot be chosen: the organisation and the host. */
const wayBack = (uri: string, client: Client | undefined) =>
  html`<p>You then go back to <strong>${client?.clientName ?? ''}</strong>, which is made by <strong>${String(
    client?.['app_org'] ?? '',
  )}</strong>. You will be redirected to <strong>${receiverOf(uri)}</strong>.</p>`;

export function signedOutPage(ctx: KoaContextWithOIDC): void {
  send(ctx, 'Signed out', html`<p>You can close this page.</p>`);
}

/** The page for errors that cannot be sent to the app, since its redirect URI is unknown. */
export function errorPage(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  send(ctx, ...errorContent(out));
}

/** Sends the same page from a route that oidc-provider does not serve. */
export const sendErrorPage = (reply: FastifyReply, publicUrl: string, out: ErrorOut): FastifyReply =>
  sendPage({ publicUrl, reply }, ...errorContent(out));

function errorContent(out: ErrorOut): [title: string, content: Html] {
  const description = temporary(out);
  if (description !== undefined) {
    return ['Temporarily unavailable', html`<p role="alert">${description}</p>`];
  }
  return [
    'This request cannot be processed',
    html`<p>Go back to the app that sent you here and try again. If it happens again, report the error below to its makers.</p>
    <p class="detail"><code>${out.error}</code> ${out.error_description ?? ''}</p>`,
  ];
}
