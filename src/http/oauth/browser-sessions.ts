/**
 * The cookie sessions of oidc-provider. Each contains the session of the API that began with the sign-in, and is void once that has
 * ended: with a sign-out, a new password, a removal, or because the person or an administrator has ended it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Interaction, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { AppChangeParts } from '../../auth/apps/installations.ts';
import { type BrowserSession, fromBrowser, isActive, keep, signOut } from '../../auth/browser-sessions.ts';

/** The member of a cookie session and of the result of a sign-in that has the session of the API. */
export const SIGNED_IN = 'signed_in';

// Only this server writes the member, always from a BrowserSession.
const signedInOf = (holder: object | undefined): BrowserSession | undefined =>
  holder && (Reflect.get(holder, SIGNED_IN) as BrowserSession | undefined);

/** Makes cookie sessions keep the session of the API when they are stored, and end it with a sign-out. */
export function tieSessions({ Session }: Provider, parts: AppChangeParts): void {
  storeMember(Session, SIGNED_IN);
  const { destroy } = Session.prototype;
  Session.prototype.destroy = async function destroyBoth() {
    await end(parts, signedInOf(this));
    await destroy.call(this);
  };
}

/** The member of an interaction with the id of the cookie session in which it began. */
const BROWSER = 'browser';

/**
 * Binds each sign-in and consent to the cookie session of the browser that began it, also before a person has signed in there. The cookie
 * of an interaction alone would not be enough: a server of a sibling domain can set it, and the browser that began the interaction would be
 * signed in as the person whom it was planted on.
 */
export function bindInteractions({ Interaction }: Provider): void {
  storeMember(Interaction, BROWSER);
  const { save } = Interaction.prototype;
  Interaction.prototype.save = async function saveWithBrowser(ttl) {
    const session = Reflect.has(this, BROWSER) ? undefined : Provider.ctx?.oidc.session;
    if (session) Reflect.set(this, BROWSER, session.uid);
    const saved = await save.call(this, ttl);
    // An anonymous session is stored, and its cookie sent, only if it was changed.
    if (session) Reflect.set(session, 'touched', true);
    return saved;
  };
}

/** Whether a request comes from the browser that began an interaction. */
export async function isOfBrowser(
  provider: Provider,
  interaction: Interaction,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { uid } = await provider.Session.get(provider.createContext(request, response));
  return Reflect.get(interaction, BROWSER) === uid;
}

/** Makes a model of oidc-provider store another member. Its types lack the names of the stored members. */
function storeMember(model: object, member: string): void {
  const { IN_PAYLOAD: stored } = model as { readonly IN_PAYLOAD: readonly string[] };
  Object.defineProperty(model, 'IN_PAYLOAD', { value: [...stored, member] });
}

/** Whether the session of a browser has ended. The session of a new sign-in is kept from here on, and replaces a former one. */
export async function hasEnded(
  { oidc: { session, account, result } }: KoaContextWithOIDC,
  parts: AppChangeParts,
): Promise<boolean> {
  if (!session || !account) return false;
  const signedIn = signedInOf(result?.login);
  const former = signedInOf(session);
  if (signedIn && signedIn.id !== former?.id) {
    Reflect.set(session, SIGNED_IN, signedIn);
    await keep(parts.database, parts.clock, signedIn);
    await end(parts, former);
  }
  return !(await isSignedIn(session, parts));
}

/**
 * Whether a person is signed in in the browser with a cookie session. Requests of two tabs can leave several records of one cookie
 * session, so those whose sign-in has ended are removed.
 */
export async function hasSession(
  { Session }: Provider,
  uid: string,
  parts: AppChangeParts,
): Promise<boolean> {
  for (;;) {
    const found = await Session.findByUid(uid);
    if (!found) return false;
    if (await isSignedIn(found, parts)) return true;
    await found.destroy();
  }
}

async function isSignedIn(holder: object, { database, clock }: AppChangeParts): Promise<boolean> {
  const signedIn = signedInOf(holder);
  return signedIn !== undefined && (await isActive(database, signedIn, clock()));
}

async function end({ database, clock }: AppChangeParts, session: BrowserSession | undefined): Promise<void> {
  if (session) await signOut(database, clock, session, fromBrowser(Provider.ctx?.ip));
}
