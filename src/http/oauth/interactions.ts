/** The pages for sign-in and consent, to which the authorization server sends people. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { errors, type Provider } from 'oidc-provider';
import { appIdOf } from '../../auth/apps/client-id.ts';
import { type Consent, consent, offeredScopes } from '../../auth/apps/consents.ts';
import { isScope, SCOPE_WORDS, type Scope } from '../../auth/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { basePathOf } from '../../core/public-url.ts';
import { findClientApp } from '../../db/queries/apps.ts';
import { findPerson } from '../../db/queries/users.ts';
import type { Services } from '../../pipeline/context.ts';
import { html } from '../html.ts';
import type { HttpParts } from '../parts.ts';
import { otherMethods } from '../routes/methods.ts';
import { fromAddress } from './adapter.ts';
import { hasSession, isOfBrowser, SIGNED_IN } from './browser-sessions.ts';
import { sendFailure } from './failures.ts';
import { receiverOf, sendPage } from './pages.ts';
import { INTERACTION_PATH } from './paths.ts';
import { payForRequest } from './paying.ts';
import { IDENTITY_SCOPES, IDENTITY_WORDS } from './provider-payloads.ts';
import { type GetProvider, refuseForeignForms } from './routes.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

const URL_OF_INTERACTION = `${INTERACTION_PATH}/:uid`;

interface Visit extends Services {
  readonly provider: GetProvider;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly interaction: Interaction;
}

export function interactionRoutes({ services }: HttpParts, provider: GetProvider): RouteOptions[] {
  const { publicUrl } = services;
  const route = { url: URL_OF_INTERACTION, errorHandler: sendFailure(publicUrl) };
  const parts = { ...services, provider };
  const handledBy =
    (respond: (visit: Visit) => unknown) => async (request: FastifyRequest, reply: FastifyReply) => {
      await payForRequest(services, request.ip);
      const interaction = await interactionOf(parts, request, reply);
      return interaction
        ? respond({ ...parts, request, reply, interaction })
        : sendExpired({ ...parts, reply });
    };
  return [
    { ...route, method: 'GET', handler: handledBy(show) },
    { ...route, method: 'POST', onRequest: refuseForeignForms(publicUrl), handler: handledBy(submit) },
    otherMethods(URL_OF_INTERACTION, ['GET', 'POST']),
  ];
}

/**
 * Returns the interaction of this browser; undefined if it has expired or belongs to another browser, or if its app or redirect URI was
 * removed (`requireRedirectUri`).
 */
async function interactionOf(
  { provider }: Pick<Visit, 'provider'>,
  { raw, params }: FastifyRequest,
  reply: FastifyReply,
): Promise<Interaction | undefined> {
  try {
    const server = await provider();
    const interaction = await server.interactionDetails(raw, reply.raw);
    const isMeant = interaction.uid === (params as { readonly uid: string }).uid;
    return isMeant && (await isOfBrowser(server, interaction, raw, reply.raw)) ? interaction : undefined;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

const isSignIn = ({ interaction }: Visit) => interaction.prompt.name === 'login';

const show = (visit: Visit) => (isSignIn(visit) ? sendSignIn(visit) : sendConsent(visit));

function submit(visit: Visit) {
  const { body } = visit.request;
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  if (form.get('action') === 'deny') return finish(visit, { error: 'access_denied' });
  return isSignIn(visit) ? signIn(visit, form) : allow(visit, form);
}

async function finish(
  { provider, request, reply }: Visit,
  result: Parameters<Provider['interactionResult']>[2],
) {
  const returnTo = await (await provider()).interactionResult(request.raw, reply.raw, result);
  return reply.header('cache-control', 'no-store').redirect(returnTo, 303);
}

async function signIn(visit: Visit, form: URLSearchParams) {
  const { request, reply, sessions } = visit;
  const email = form.get('email') ?? '';
  try {
    const password = form.get('password') ?? '';
    const { session, deviceToken } = await sessions.loginBrowser({
      email,
      password,
      address: request.ip,
      deviceToken: deviceTokenIn(request),
    });
    reply.header('set-cookie', deviceCookie(visit, deviceToken));
    const login = { accountId: String(session.userId), amr: ['pwd'], [SIGNED_IN]: session };
    return await finish(visit, { login });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'internal_error') throw error;
    if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
    reply.code(error.status);
    return sendSignIn(visit, { email, problem: error.message });
  }
}

/** The cookie with the device token, so that wrong passwords sent by others do not lock out a browser that has signed in before. */
const DEVICE_COOKIE = 'portico_device';

/** The device token of an earlier sign-in in this browser. Whether it is valid is checked at the sign-in. */
const deviceTokenIn = ({ headers }: FastifyRequest): string | undefined =>
  new RegExp(`(?:^|; )${DEVICE_COOKIE}=([\\w-]{1,512})(?:;|$)`).exec(headers.cookie ?? '')?.[1];

const deviceCookie = ({ publicUrl }: Visit, token: string): string =>
  [
    `${DEVICE_COOKIE}=${token}`,
    `Path=${basePathOf(publicUrl)}${INTERACTION_PATH}`,
    `Max-Age=${LIMITS.deviceTokenLifetime / 1000}`,
    'HttpOnly',
    'Secure',
    'SameSite=Lax',
  ].join('; ');

async function allow(visit: Visit, form: URLSearchParams) {
  const asked = await consentOf(visit);
  if (!asked) return sendExpired(visit);
  const offered = await offeredScopes(visit.database, asked);
  if (offered === undefined) {
    return finish(visit, { error: 'access_denied', error_description: NOT_INSTALLED });
  }
  const database = fromAddress(visit.database, visit.request.ip);
  const chosen = form.getAll('scope').filter((scope) => offered.some((each) => each === scope));
  if (chosen.length === 0 && asked.identity.every((scope) => scope === 'offline_access')) {
    return finish(visit, { error: 'access_denied', error_description: NOTHING_CHOSEN });
  }
  const grantId = await consent({ ...visit, database }, asked, chosen);
  return finish(visit, { consent: { grantId: String(grantId) } });
}

const NOTHING_CHOSEN = 'the person has allowed none of the scopes';
const NOT_INSTALLED = 'the app is not installed in the organisation';

interface AskedConsent extends Consent {
  readonly identity: readonly (typeof IDENTITY_SCOPES)[number][];
}

/** Returns the consent to ask for; undefined if the app, the person or the browser's session no longer exists. */
async function consentOf(visit: Visit): Promise<AskedConsent | undefined> {
  const { database, provider, interaction } = visit;
  const { params, session } = interaction;
  const appId = appIdOf(String(params['client_id']));
  const app = appId === undefined ? undefined : await findClientApp(database, { id: appId });
  const person = session && (await findPerson(database, Number(session.accountId)));
  if (!app || !person) return undefined;
  if (!(await hasSession(await provider(), session.uid, visit))) return undefined;
  const asked: Scope[] = scopesIn(params).filter(isScope);
  const identity = IDENTITY_SCOPES.filter((scope) => scopesIn(params).includes(scope));
  return { app, person, asked, identity };
}

const scopesIn = ({ scope }: Interaction['params']): string[] =>
  typeof scope === 'string' ? scope.split(' ') : [];

const redirectUriOf = ({ interaction: { params } }: Visit): string | undefined =>
  typeof params['redirect_uri'] === 'string' ? params['redirect_uri'] : undefined;

function sendExpired(to: Pick<Visit, 'publicUrl' | 'reply'>) {
  to.reply.code(400);
  const content = html`<p>Go back to the app that sent you here and start again.</p>`;
  return sendPage(to, 'This request has expired', content);
}

async function sendSignIn(
  visit: Visit,
  { email = '', problem }: { readonly email?: string; readonly problem?: string } = {},
) {
  const { client_id: clientId, login_hint: hint } = visit.interaction.params;
  const app = await findClientApp(visit.database, { id: appIdOf(String(clientId)) ?? 0 });
  const address = email || (typeof hint === 'string' ? hint : '');
  const content = html`<p>to continue to <strong>${app?.name ?? 'an app'}</strong></p>
    ${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}
    <form method="post">
      <label for="email">Email address</label>
      <input id="email" name="email" type="text" inputmode="email" autocapitalize="none" spellcheck="false" autocomplete="username" required maxlength="254" value="${address}">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required>
      <p class="actions">
        <button type="submit">Sign in</button>
        <button type="submit" class="quiet" name="action" value="deny" formnovalidate>Cancel</button>
      </p>
    </form>`;
  return sendPage(visit, 'Sign in', content, redirectUriOf(visit));
}

async function sendConsent(visit: Visit) {
  const asked = await consentOf(visit);
  if (!asked) return sendExpired(visit);
  const { app, person, identity } = asked;
  const offered = await offeredScopes(visit.database, asked);
  const redirectUri = redirectUriOf(visit);
  if (!offered) {
    const content = html`<p><strong>${app.name}</strong> is not installed in your organisation <strong>${person.org}</strong>. Ask an
      administrator to install <code>${String(visit.interaction.params['client_id'])}</code>.</p>
      <form method="post"><p class="actions"><button type="submit" name="action" value="deny">Go back</button></p></form>`;
    return sendPage(visit, 'Not installed', content, redirectUri);
  }
  if (offered.length + identity.length === 0) {
    const content = html`<p><strong>${app.name}</strong> requests only what you cannot do in your organisation <strong>${person.org}</strong>,
      or what the app may not do there.</p>
      <form method="post"><p class="actions"><button type="submit" name="action" value="deny">Go back</button></p></form>`;
    return sendPage(visit, 'Nothing to allow', content, redirectUri);
  }
  const content = html`<p>${app.name} is made by <strong>${app.org}</strong>${from(app.homepageUrl, redirectUri)}. You are signed in as
      <strong>${person.name}</strong> (${person.email}) of <strong>${person.org}</strong>.</p>
    ${redirectUri ? html`<p>You will be redirected to <strong>${receiverOf(redirectUri)}</strong>.</p>` : ''}
    <form method="post">
      ${identity.length > 0 ? html`<p>It will</p><ul>${identity.map((each) => html`<li>${IDENTITY_WORDS[each]}</li>`)}</ul>` : ''}
      ${offered.length > 0 ? choices(offered) : ''}
      ${offered.some((scope) => scope.startsWith('write:')) ? html`<p>It can see what it may change.</p>` : ''}
      <p>It can never do more than you can, and you can revoke its access at any time.</p>
      <p class="actions">
        <button type="submit" name="action" value="allow">Allow</button>
        <button type="submit" class="quiet" name="action" value="deny">Deny</button>
      </p>
    </form>`;
  return sendPage(visit, `Let ${app.name} act for you?`, content, redirectUri);
}

const choices = (offered: readonly Scope[]) => html`<fieldset>
        <legend>Allow it to do this, or clear what you do not want to allow</legend>
        ${offered.map(
          (scope) =>
            html`<label class="scope"><input type="checkbox" name="scope" value="${scope}" checked><span>${SCOPE_WORDS[scope]}<small>${scope}</small></span></label>`,
        )}
      </fieldset>`;

/** Names the host of the homepage only if it is the one that receives the response: nothing else verifies it. */
const from = (homepage: string | null, redirectUri: string | undefined) => {
  if (homepage === null || redirectUri === undefined) return '';
  const { host } = new URL(homepage);
  return host === new URL(redirectUri).host ? html`, <strong>${host}</strong>` : '';
};
