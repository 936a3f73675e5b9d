/** The paths of the endpoints. The keys are served by a separate route. */
export const PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  pushed_authorization_request: '/oauth/par',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  device_authorization: '/oauth/device',
  code_verification: '/device',
  userinfo: '/oauth/userinfo',
  end_session: '/oauth/logout',
  jwks: '/.well-known/jwks.json',
} as const;

/** The path at which people sign in and consent. */
export const INTERACTION_PATH = '/oauth/interaction';
