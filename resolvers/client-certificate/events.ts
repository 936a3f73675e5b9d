import { declareEvents, id, orNull, text, texts, time } from '../../src/events/declare.ts';

const scope = 'manage:api-keys';

const name = text('The name of the registration.');

export const events = declareEvents({
  'client_certificate.created': {
    scope,
    description: 'A client certificate was registered.',
    data: {
      name,
      match: text('How certificates are matched, such as `san_dns:ci.acme.example`.'),
      scopes: texts('The scopes of the registration.'),
      expires_at: orNull(time('When the registration expires; null for never.')),
    },
  },
  'client_certificate.revoked': {
    scope,
    description: 'The registration of a client certificate was revoked.',
    data: { name, user_id: id('The person that the certificate acted for.') },
  },
});
